import { LOOK_NOW } from '@chancela/service-kernel/workers'
import { vi } from 'vitest'
import type { PlatformWorld } from './platform-world.ts'

/** Lets time pass, and has whatever works by itself look at once what is due. */
export async function later({ clock, store }: PlatformWorld, time: number): Promise<void> {
  clock.advance(time)
  await store.notify(store.db, LOOK_NOW)
}

/** The same; when this resolves, bytes nobody refers to have been swept. A sweep comes once a day at most. */
export async function laterSwept(world: PlatformWorld, time: number): Promise<void> {
  const sweeps = () => world.log().split('bytes nobody refers to were removed').length - 1
  // That of the start.
  await vi.waitUntil(() => sweeps() > 0, { interval: 20 })
  const before = sweeps()
  await later(world, time)
  await vi.waitUntil(() => sweeps() > before, { interval: 20 })
}
