import { afterAll, beforeAll, onTestFinished } from 'vitest'

interface Started<World> {
  readonly world: World
  close(): Promise<void>
}

/** One world for the tests of a describe (or file) that calls this at its top: a start takes longer than most tests. */
export function sharedWorld<World>(start: () => Promise<Started<World>>): () => World {
  let started: Started<World> | undefined
  beforeAll(async () => {
    started = await start()
  })
  afterAll(() => started?.close())
  return () => started!.world
}

/** A world for the running test alone. */
export async function worldOfTest<World>(starting: Promise<Started<World>>): Promise<World> {
  const { world, close } = await starting
  onTestFinished(close)
  return world
}
