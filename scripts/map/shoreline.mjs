/**
 * Reads GSHHG as packaged by GMT: the world in squares of two degrees, each with the pieces of shore that cross it.
 * Shores of every level (sea and land, land and lake, lake and island …) separate land from water, so land is inside by
 * the even-odd rule.
 */
import h5wasm from 'h5wasm/node'

const SQUARE_DEGREES = 2
const COLUMNS = 180
const ROWS = 90
const STEPS = 65_535
/** Instead of a side of the square: the piece is a complete ring. */
const CLOSED = 4
/** Antarctica has two shores; the ice shore is used instead of the rock shore. */
const GROUNDING_LINE = 6

/**
 * All land, square by square: `polygons` in degrees, each a ring with its holes; `isFull` if there is only land. Shores
 * are simplified per piece between its ends, so that borders of neighbouring squares stay identical.
 */
export async function readLand(path, toleranceDegrees) {
  const file = await open(path)
  const firstSegment = file('Id_of_first_segment_in_a_bin')
  const segments = file('N_segments_in_a_bin')
  const corners = file('Embedded_node_levels_in_a_bin')
  const info = file('Embedded_npts_levels_exit_entry_for_a_segment')
  const firstPoint = file('Id_of_first_point_in_a_segment')
  const point = pointReader(file)
  return Array.from({ length: COLUMNS * ROWS }, (_, bin) => {
    const pieces = []
    const tolerance = (toleranceDegrees / SQUARE_DEGREES) * STEPS * narrowing(bin)
    for (let at = firstSegment[bin]; at < firstSegment[bin] + segments[bin]; at += 1) {
      const level = (info[at] >> 6) & 7
      if (level === GROUNDING_LINE) continue
      const points = Array.from({ length: info[at] >> 9 }, (_, i) => point(firstPoint[at] + i))
      const isRing = (info[at] & 7) === CLOSED
      if (isRing && Math.abs(computeArea(points)) < (2 * tolerance) ** 2) continue
      pieces.push({ isRing, isLand: level % 2 === 1, points: simplify(points, tolerance) })
    }
    // Corners are packed from the south-west, three bits each; an odd level is land.
    const polygons = assembleLand(
      pieces,
      [9, 6, 3, 0].map((shift) => ((corners[bin] >> shift) & 1) === 1),
    )
    const [west, south] = toDegrees(bin, [0, 0])
    const inDegrees = polygons.map((rings) => rings.map((ring) => ring.map((at) => toDegrees(bin, at))))
    return { west, south, polygons: inDegrees, isFull: segments[bin] === 0 && polygons.length > 0 }
  })
}

/** Lines such as rivers, each with its level: 1 is the largest. */
export async function readLines(path) {
  const file = await open(path)
  const firstSegment = file('Id_of_first_segment_in_a_bin')
  const segments = file('N_segments_in_a_bin')
  const count = file('N_points_for_a_segment')
  const level = file('Hierarchial_level_of_a_segment')
  const firstPoint = file('Id_of_first_point_in_a_segment')
  const point = pointReader(file)
  const lines = []
  for (let bin = 0; bin < COLUMNS * ROWS; bin += 1) {
    for (let at = firstSegment[bin]; at < firstSegment[bin] + segments[bin]; at += 1) {
      const points = Array.from({ length: count[at] }, (_, i) => toDegrees(bin, point(firstPoint[at] + i)))
      lines.push({ level: level[at], points })
    }
  }
  return lines
}

async function open(path) {
  await h5wasm.ready
  const file = new h5wasm.File(path, 'r')
  return (name) => file.get(name).value
}

function pointReader(file) {
  const x = file('Relative_longitude_from_SW_corner_of_bin')
  const y = file('Relative_latitude_from_SW_corner_of_bin')
  // Stored as signed numbers, but unsigned.
  return (at) => [x[at] & STEPS, y[at] & STEPS]
}

/** Squares run from Greenwich to the east and from the north to the south. */
function toDegrees(bin, [x, y]) {
  const west = (bin % COLUMNS) * SQUARE_DEGREES
  const south = 90 - (Math.floor(bin / COLUMNS) + 1) * SQUARE_DEGREES
  const lon = west + (x / STEPS) * SQUARE_DEGREES
  return [west >= 180 ? lon - 360 : lon, south + (y / STEPS) * SQUARE_DEGREES]
}

/** A degree is longer on the map the farther it is from the equator. */
const narrowing = (bin) => Math.max(0.2, Math.cos(((89 - Math.floor(bin / COLUMNS) * SQUARE_DEGREES) * Math.PI) / 180))

/** Douglas–Peucker: keeps the farthest point while it is more than `tolerance` away. The ends are kept. */
function simplify(points, tolerance) {
  const kept = new Set([0, points.length - 1])
  const stretches = [[0, points.length - 1]]
  while (stretches.length > 0) {
    const [from, to] = stretches.pop()
    let [farthest, maxDistance] = [0, tolerance]
    for (let at = from + 1; at < to; at += 1) {
      const pointDistance = distance(points[at], points[from], points[to])
      if (pointDistance > maxDistance) [farthest, maxDistance] = [at, pointDistance]
    }
    if (farthest === 0) continue
    kept.add(farthest)
    stretches.push([from, farthest], [farthest, to])
  }
  return points.filter((_, at) => kept.has(at))
}

function distance([x, y], [ax, ay], [bx, by]) {
  const length = (bx - ax) ** 2 + (by - ay) ** 2
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length))
  return Math.hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay))
}

const CORNERS = [
  [0, 0],
  [STEPS, 0],
  [STEPS, STEPS],
  [0, STEPS],
]

/** Land consists of rings of islands and of areas enclosed by pieces and the edge; rings of lakes are holes in it. */
function assembleLand(pieces, landAtCorners) {
  const isOpen = ({ isRing }) => !isRing
  const rings = pieces.filter(({ isRing }) => isRing)
  const outer = [
    ...closeRings(pieces.filter(isOpen), landAtCorners),
    ...rings.filter(({ isLand }) => isLand).map(({ points }) => points),
  ].map((points) => ({ points, size: Math.abs(computeArea(points)), holes: [] }))
  // A lake is a hole in the smallest area that contains it: it may lie on an island in a lake.
  outer.sort((a, b) => a.size - b.size)
  for (const { isLand, points } of rings) {
    if (!isLand) outer.find((land) => isInside(points[0], land.points))?.holes.push(points)
  }
  return outer.map(({ points, holes }) => [points, ...holes])
}

/**
 * Joins pieces that end at the edge of the square along the stretches of the edge that are land. Around the edge, land
 * and water alternate at every end of a piece.
 */
function closeRings(pieces, landAtCorners) {
  if (pieces.length === 0) return landAtCorners[0] ? [CORNERS] : []
  const ends = pieces
    .flatMap((piece) => [
      { piece, isStart: true, at: alongEdge(piece.points[0]) },
      { piece, isStart: false, at: alongEdge(piece.points.at(-1)) },
    ])
    .sort((a, b) => a.at - b.at)
  // A shore may end exactly at a corner, so the majority of the corners decides.
  const before = (corner) => ends.filter(({ at }) => at < corner).length
  const agreeing = landAtCorners.filter((isLand, corner) => isLand === (before(corner) % 2 === 1)).length
  const isLandAtCorner = agreeing < 2
  const joinedTo = new Map()
  for (const [i, end] of ends.entries()) {
    const isLandAfter = (i % 2 === 0) !== isLandAtCorner
    if (!isLandAfter) continue
    const next = ends[(i + 1) % ends.length]
    const via = cornersBetween(end.at, next.at)
    joinedTo.set(end, { end: next, via })
    joinedTo.set(next, { end, via: via.toReversed() })
  }
  return followPieces(ends, joinedTo)
}

function followPieces(ends, joinedTo) {
  const rings = []
  const used = new Set()
  for (const first of ends) {
    if (used.has(first.piece)) continue
    const ring = []
    let start = first
    while (!used.has(start.piece)) {
      used.add(start.piece)
      ring.push(...(start.isStart ? start.piece.points : start.piece.points.toReversed()))
      const finish = ends.find((end) => end.piece === start.piece && end.isStart !== start.isStart)
      const { end, via } = joinedTo.get(finish)
      ring.push(...via)
      start = end
    }
    rings.push(ring)
  }
  return rings
}

function computeArea(ring) {
  let sum = 0
  for (const [i, [x, y]] of ring.entries()) {
    const [nextX, nextY] = ring[(i + 1) % ring.length]
    sum += x * nextY - nextX * y
  }
  return sum / 2
}

function isInside([x, y], ring) {
  let isIn = false
  for (const [i, [ax, ay]] of ring.entries()) {
    const [bx, by] = ring[(i + 1) % ring.length]
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isIn = !isIn
  }
  return isIn
}

/** Position of a point along the edge, from the south-west corner eastwards, four sides of length one. */
function alongEdge([x, y]) {
  if (y === 0) return x / STEPS
  if (x === STEPS) return 1 + y / STEPS
  if (y === STEPS) return 2 + (STEPS - x) / STEPS
  if (x === 0) return 3 + (STEPS - y) / STEPS
  throw new Error(`a piece of shore ends at ${x}, ${y}, inside its square`)
}

function cornersBetween(from, to) {
  const found = []
  const last = to > from ? to : to + 4
  for (let corner = Math.floor(from) + 1; corner < last; corner += 1) found.push(CORNERS[corner % 4])
  return found
}
