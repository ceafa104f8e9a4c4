// A camera that shows what it is told: a file that the browser reads at every frame.
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Picture } from '../../../src/parts/bio/engine/picture.ts'

export class FakeCamera {
  readonly file: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'chancela-camera-'))
  readonly #handle: number

  constructor(first: Picture) {
    this.file = join(this.#folder, 'camera.y4m')
    this.#handle = openSync(this.file, 'w')
    this.show(first)
  }

  /** One frame, which the browser shows again and again. */
  show(picture: Picture): void {
    const { width, height } = picture
    const head = `YUV4MPEG2 W${width} H${height} F15:1 Ip A1:1 C420\nFRAME\n`
    writeSync(this.#handle, Buffer.concat([Buffer.from(head), planes(picture)]), 0, undefined, 0)
  }

  close(): void {
    closeSync(this.#handle)
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** Brightness of every pixel, then the two colours of every four (ITU-R BT.601, limited range). */
function planes({ width, height, data }: Picture): Buffer {
  const at = (x: number, y: number) => data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)
  const each = (step: number, value: (r: number, g: number, b: number) => number) =>
    Buffer.from(
      Uint8Array.from({ length: (width / step) * (height / step) }, (_, index) => {
        const [x, y] = [(index % (width / step)) * step, Math.floor(index / (width / step)) * step]
        const [r, g, b] = at(x, y) as unknown as [number, number, number]
        return Math.round(value(r, g, b))
      }),
    )
  return Buffer.concat([
    each(1, (r, g, b) => 16 + 0.257 * r + 0.504 * g + 0.098 * b),
    each(2, (r, g, b) => 128 - 0.148 * r - 0.291 * g + 0.439 * b),
    each(2, (r, g, b) => 128 + 0.439 * r - 0.368 * g - 0.071 * b),
  ])
}
