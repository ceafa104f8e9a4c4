// Pictures as rows of RGBA bytes, and square cuts out of them.
import { decode } from 'jpeg-js'

export interface Picture {
  readonly width: number
  readonly height: number
  /** RGBA, row by row. */
  readonly data: Uint8Array
}

/** More than any frame of the page; a header that claims more is refused before memory is taken. */
const MOST_MEGAPIXELS = 4
const MOST_MEMORY_MB = 96

/** Undefined for what is no JPEG, or is broken, or too large. */
export function readJpeg(bytes: Uint8Array): Picture | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined
  try {
    return decode(bytes, {
      useTArray: true,
      formatAsRGBA: true,
      tolerantDecoding: false,
      maxResolutionInMP: MOST_MEGAPIXELS,
      maxMemoryUsageInMB: MOST_MEMORY_MB,
    })
  } catch {
    return undefined // whatever is wrong with it, it shows no face
  }
}

/** A square of a picture: where its middle is, how long its side, and how far it is turned. */
export interface Square {
  readonly x: number
  readonly y: number
  readonly side: number
  /** Radians, clockwise on the screen. */
  readonly turned: number
}

export type Point = readonly [x: number, y: number]

/** From a place in the cut, both coordinates from 0 to 1, to the place in the picture. */
export function placeIn({ x, y, side, turned }: Square, [across, down]: Point): Point {
  const [dx, dy] = [(across - 0.5) * side, (down - 0.5) * side]
  const [cos, sin] = [Math.cos(turned), Math.sin(turned)]
  return [x + dx * cos - dy * sin, y + dx * sin + dy * cos]
}

/** The square as `size` × `size` RGB values times `scale` plus `shift`; what lies outside of the picture is black. */
export function cut(picture: Picture, square: Square, size: number, scale: number, shift: number): Float32Array {
  const values = new Float32Array(size * size * 3).fill(shift)
  const [startX, startY] = placeIn(square, [0.5 / size, 0.5 / size])
  const step = square.side / size
  const [cos, sin] = [Math.cos(square.turned) * step, Math.sin(square.turned) * step]
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      const [x, y] = [startX + column * cos - row * sin, startY + column * sin + row * cos]
      sample(picture, x, y, values, (row * size + column) * 3, scale, shift)
    }
  return values
}

/** Between the four pixels around a place. Called for every pixel of every cut: it takes numbers and makes nothing. */
function sample(
  { width, height, data }: Picture,
  x: number,
  y: number,
  into: Float32Array,
  index: number,
  scale: number,
  shift: number,
): void {
  const [left, top] = [Math.floor(x), Math.floor(y)]
  if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) return
  const [fx, fy] = [x - left, y - top]
  const at = (top * width + left) * 4
  const below = at + width * 4
  for (let channel = 0; channel < 3; channel++) {
    const upper = data[at + channel]! * (1 - fx) + data[at + 4 + channel]! * fx
    const lower = data[below + channel]! * (1 - fx) + data[below + 4 + channel]! * fx
    into[index + channel] = (upper * (1 - fy) + lower * fy) * scale + shift
  }
}

/** How bright a part of the picture is, from 0 to 1. */
export function brightnessOf(picture: Picture, square: Square): number {
  const values = cut(picture, square, 32, 1 / 255, 0)
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
