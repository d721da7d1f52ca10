import type { Image } from '../../domain/property.ts'
import { draw } from './draw.ts'

const SKIES = ['%23cfe3f5', '%23f6dfc6', '%23dfe9d9', '%23e7dcf0', '%23f3d9d9']
const WALLS = ['%23b5654a', '%23d8b98a', '%236d8ba6', '%23938fa8', '%2387a07c']

const SCENES = [
  { caption: 'The house from outside', shape: 'M30 90V30h60v60zM42 42h10v12H42zm26 0h10v12H68zM52 68h16v22H52z' },
  { caption: 'Room', shape: 'M14 90V50h8v18h76V58h8v32h-8V78H22v12zM26 54h26v10H26z' },
  { caption: 'Lobby', shape: 'M10 90h100v-6H10zM24 84V60h30v24zM70 84V40h6v44zM60 40l13-22 13 22z' },
] as const

/** Drawn into the address itself, some 250 bytes each: a simulated answer makes nobody fetch anything. */
export function picturesOf(seed: string): Image[] {
  return SCENES.map((_, at) => pictureOf(seed, at, at === 0))
}

export const roomPictureOf = (seed: string): Image => pictureOf(seed, 1, true)

/** Every scene under every sky, each with every wall. */
const ADDRESSES = SCENES.map(({ shape }) => SKIES.map((sky) => WALLS.map((wall) => addressOf(shape, sky, wall))))

function pictureOf(seed: string, scene: number, hero: boolean): Image {
  const caption = SCENES[scene]?.caption ?? ''
  const sky = draw('sky', seed, caption) % SKIES.length
  const wall = draw('wall', seed) % WALLS.length
  const address = ADDRESSES[scene]?.[sky]?.[wall] ?? ''
  return { caption, hero, hi: address, med: address, lo: address }
}

function addressOf(shape: string, sky: string, wall: string): string {
  const url =
    `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 120 90'%3E` +
    `%3Cpath fill='${sky}' d='M0 0h120v90H0z'/%3E%3Cpath fill='${wall}' fill-rule='evenodd' d='${shape}'/%3E%3C/svg%3E`
  return url.replaceAll(' ', '%20')
}
