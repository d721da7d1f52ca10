import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const NODE_MODULES = fileURLToPath(new URL('../node_modules/', import.meta.url))
const SEEDS = fileURLToPath(new URL('../seeds/', import.meta.url))
const require = createRequire(import.meta.url)

/** Read by path, because packages hide data files behind `exports`. */
export function readPackageText(path: string): string {
  try {
    return readFileSync(NODE_MODULES + path, 'utf8')
  } catch (error) {
    throw new Error(`${path} is missing: run "npm ci" in scripts/locations first`, { cause: error })
  }
}

export const readPackageJson = <T>(path: string): T => JSON.parse(readPackageText(path)) as T
export const requirePackage = <T>(name: string): T => require(name) as T

/** Rows of a hand-written table: fields separated by bars, `#` starts a comment line. */
export function readSeed(name: string): string[][] {
  return readFileSync(SEEDS + name, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => line.split('|').map((field) => field.trim()))
}

export const splitList = (field: string | undefined): string[] =>
  (field ?? '')
    .split(';')
    .map((item) => item.trim())
    .filter((item) => item !== '')
