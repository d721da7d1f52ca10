let hasWebGl: boolean | undefined

/** Some browsers and virtual machines have no WebGL. They need not load the map, which is the largest file of the page. */
export function canDrawMaps(): boolean {
  hasWebGl ??= document.createElement('canvas').getContext('webgl2') !== null
  return hasWebGl
}
