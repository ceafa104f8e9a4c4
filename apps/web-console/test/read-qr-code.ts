import { execFileSync } from 'node:child_process'
import jsQR from 'jsqr'

/** The text of the first QR code of a PDF, rendered and decoded by third-party programs. */
export function readQrCode(pdf: Uint8Array): string | undefined {
  const drawn = execFileSync('pdftoppm', ['-gray', '-r', '144', '-'], { input: pdf, maxBuffer: 1 << 28 })
  for (const { pixels, width, height } of greyPages(drawn)) {
    const found = jsQR.default(inColour(pixels), width, height)
    if (found) return found.data
  }
  return undefined
}

/** Pages one after the other, each as `P5 width height 255` and a byte for each pixel. */
function* greyPages(bytes: Buffer) {
  for (let at = 0; at < bytes.length; ) {
    const header = /^P5\s(\d+)\s(\d+)\s255\s/.exec(bytes.toString('latin1', at, at + 40))
    if (!header) throw new Error('pdftoppm wrote something else than pages.')
    const [width, height] = [Number(header[1]), Number(header[2])]
    const begin = at + header[0].length
    at = begin + width * height
    yield { pixels: bytes.subarray(begin, at), width, height }
  }
}

const inColour = (grey: Uint8Array): Uint8ClampedArray => {
  const pixels = new Uint8ClampedArray(grey.length * 4)
  for (const [index, value] of grey.entries()) pixels.set([value, value, value, 255], index * 4)
  return pixels
}
