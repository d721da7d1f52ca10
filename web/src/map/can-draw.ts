let hasWebGl: boolean | undefined

/** Browsers without WebGL need not load the map, the largest file of the page. */
export function canDrawMaps(): boolean {
  hasWebGl ??= document.createElement('canvas').getContext('webgl2') !== null
  return hasWebGl
}
