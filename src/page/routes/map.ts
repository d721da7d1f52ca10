import { hash } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { TileArchive } from '../map/tile-archive.ts'

type Deps = { map: { readonly land: TileArchive; readonly places: TileArchive } }

const number = Type.String({ pattern: '^\\d{1,5}$' })
const Key = Type.Object({ z: number, x: number, y: number })
type TileRequest = FastifyRequest<{ Params: Static<typeof Key> }>

const TILE = { description: 'A vector tile.', content: { 'application/vnd.mapbox-vector-tile': { schema: {} } } }
/** One day; new data is deployed with a new version of the service. */
const CACHED = 'public, max-age=86400'

/** Map tiles of the page, without external services. */
export const mapRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { map }) => {
  const options = (operation: string) => ({
    config: { operation, access: 'public' as const, internal: true },
    compress: false as const,
    schema: {
      hide: true,
      params: Key,
      response: { 200: TILE, 204: { type: 'null', description: 'The tile is empty.' } },
    },
  })
  app.get('/map/land/:z/:x/:y', options('map.land'), (request: TileRequest, reply) => send(map.land, request, reply))
  app.get('/map/places/:z/:x/:y', options('map.places'), (request: TileRequest, reply) =>
    send(map.places, request, reply),
  )
}

function send(tiles: TileArchive, request: TileRequest, reply: FastifyReply): FastifyReply {
  const { z, x, y } = request.params
  const bytes = tiles({ z: Number(z), x: Number(x), y: Number(y) })
  reply.header('cache-control', CACHED)
  if (bytes === undefined) return reply.code(204).send()
  const etag = `"${hash('sha1', bytes, 'base64url')}"`
  reply.headers({ etag, 'content-type': 'application/vnd.mapbox-vector-tile', 'content-encoding': 'gzip' })
  return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(bytes)
}
