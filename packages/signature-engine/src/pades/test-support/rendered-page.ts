import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'

/** A page as poppler draws it. */
interface RenderedPage {
  readonly width: number
  readonly height: number
  /** Red, green and blue, from the top left. */
  readonly pixels: Buffer
  /** The colour at a point of the page, from the lower left. */
  at(x: number, y: number): readonly number[]
}

export async function renderPage(pdf: Uint8Array, page = 1, dpi = 72): Promise<RenderedPage> {
  const path = join(temporaryFolder(), 'page.pdf')
  writeFileSync(path, pdf)
  const { stdout } = await runTool('pdftoppm', ['-r', `${dpi}`, '-cropbox', '-f', `${page}`, '-l', `${page}`, path])
  const [, width = 0, height = 0] = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(stdout.toString('latin1', 0, 30))!.map(Number)
  const pixels = stdout.subarray(stdout.length - width * height * 3)
  const at = (x: number, y: number) => {
    const start = (Math.floor(height - (y * dpi) / 72) * width + Math.floor((x * dpi) / 72)) * 3
    return [...pixels.subarray(start, start + 3)]
  }
  return { width, height, pixels, at }
}
