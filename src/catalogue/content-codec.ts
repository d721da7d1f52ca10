import { hash } from 'node:crypto'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { VendorProperty } from '../domain/property.ts'

export const contentHashOf = (json: string): string => hash('sha256', json, 'base64url')

export const packContent = (json: string): Uint8Array => zstdCompressSync(json)

/** Only ever given what packContent made: content is checked before it is kept, not when it is read. */
export const unpackContent = (content: Uint8Array): VendorProperty =>
  JSON.parse(zstdDecompressSync(content).toString('utf8')) as VendorProperty
