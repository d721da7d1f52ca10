/** Types for what the map uses of two libraries without types. */
declare module 'd3-geo' {
  export type Projection = {
    (point: [number, number]): [number, number] | null
    scale(scale: number): Projection
    center(center: [number, number]): Projection
    translate(translate: [number, number]): Projection
    clipExtent(extent: [[number, number], [number, number]]): Projection
  }
  export function geoMercator(): Projection
  export function geoPath(projection: Projection): (shape: unknown) => string | null
  export function geoBounds(shape: unknown): [[number, number], [number, number]]
}
declare module 'topojson-client' {
  export function feature(atlas: unknown, object: unknown): { features: unknown[] }
}
