import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { EngineBusy } from './face-engine.ts'
import { type EngineLimits, ThreadedEngine } from './threaded-engine.ts'

const assets = join(dirname(createRequire(import.meta.url).resolve('@vladmandic/human')), '..', 'assets')
const portrait = readFileSync(join(assets, 'screenshot-faceid.jpg'))

function engine(over: Partial<EngineLimits> = {}): ThreadedEngine {
  const made = new ThreadedEngine({ threads: 1, maxQueued: 4, memoryMb: 512, seconds: 60, ...over })
  onTestFinished(() => made.stop())
  return made
}

/** The same picture, said to be of another size. */
function claiming(width: number, height: number): Buffer {
  const bytes = Buffer.from(portrait)
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]))
  bytes.writeUInt16BE(height, frame + 5)
  bytes.writeUInt16BE(width, frame + 7)
  return bytes
}

describe('the engine in its threads', () => {
  test('sees and describes the face on a picture, and nothing on what is none', async () => {
    const eyes = engine()
    const seen = await eyes.look(portrait)
    expect(seen).toMatchObject({ faces: 1, face: { brightness: expect.any(Number), rigid: expect.any(Array) } })
    const descriptor = await eyes.describe(portrait)
    expect(Math.hypot(...descriptor!)).toBeCloseTo(1, 4)
    for (const none of [Buffer.from('no picture'), portrait.subarray(0, 5000), claiming(60_000, 60_000)])
      expect(await eyes.look(none)).toBeNull()
  })

  test('turns away whoever comes when too many wait, and everybody once it is stopped', async () => {
    const eyes = engine({ maxQueued: 1 })
    const [running, waiting] = [eyes.look(portrait), eyes.look(portrait)]
    await expect(eyes.look(portrait)).rejects.toThrow(EngineBusy)
    expect([await running, await waiting].map((seen) => seen?.faces)).toEqual([1, 1])
    eyes.stop()
    await expect(eyes.look(portrait)).rejects.toThrow(EngineBusy)
  })

  test('gives up a frame that takes too long, and sees the next', async () => {
    // Of a size that is allowed, but more than a moment's work for a thread that has yet to open its models.
    const eyes = engine({ seconds: 0.05, memoryMb: 511 })
    expect(await eyes.look(portrait)).toBeNull()
    expect(await engine({ memoryMb: 511 }).look(portrait)).toMatchObject({ faces: 1 })
  })
})
