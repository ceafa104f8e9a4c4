import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import jsQR from 'jsqr'
import { afterAll, beforeAll } from 'vitest'
import { running } from '../../../services/session-server/test/test-support/pki.ts'
import type { Page } from './bundle-pages.ts'
import { consolePages } from './console-pages.ts'

/** The console of the session server, and files of its holders, for all tests of a file. */
export function sessionPages() {
  const { consoleOf } = consolePages('sessions')
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chancela-sessions-files-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  /** The PKCS#12 of a holder of the PKI, as a file. */
  async function keyFile(label: string, password: string): Promise<string> {
    const path = join(folder, `${label}.p12`)
    await writeFile(path, running.pki.pkcs12(running.pki.certificate(label), { password }))
    return path
  }

  return { consoleOf, keyFile }
}

/** Pixels per module of a QR code: a camera's resolution is many times finer. */
const SCALE = 4

/** The text of the QR code on a page. */
export async function readQrCodeOn(page: Page): Promise<string | undefined> {
  const svg = page.getByRole('img', { name: /QR/ })
  const size = await svg.evaluate((element) => (element as unknown as SVGSVGElement).viewBox.baseVal.width)
  const dark = await svg
    .locator('[data-dark]')
    .evaluateAll((runs) => runs.map((run) => ['x', 'y', 'width'].map((name) => Number(run.getAttribute(name)))))
  const side = size * SCALE
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255)
  const paint = (x: number, y: number) => pixels.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3)
  for (const [x = 0, y = 0, width = 0] of dark)
    for (let down = 0; down < SCALE; down++)
      for (let right = 0; right < width * SCALE; right++) paint(x * SCALE + right, y * SCALE + down)
  return jsQR.default(pixels, side, side)?.data
}
