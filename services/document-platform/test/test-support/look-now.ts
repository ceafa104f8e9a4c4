import { LOOK_NOW } from '@chancela/service-kernel/workers'
import { vi } from 'vitest'
import type { PlatformWorld } from './platform-world.ts'

/** Lets time pass, and has whatever works by itself look at once what is due. */
export async function later({ clock, store }: PlatformWorld, time: number): Promise<void> {
  clock.advance(time)
  await store.notify(store.db, LOOK_NOW)
}

/**
 * The same; when this resolves, bytes nobody refers to have been swept as of then. A sweep that began before may end
 * later, so the log says which moment a sweep is of. One comes once a day at most.
 */
export async function laterSwept(world: PlatformWorld, time: number): Promise<void> {
  await later(world, time)
  const swept = `"asOf":"${world.clock().toISOString()}"`
  await vi.waitUntil(() => world.log().includes(swept), { interval: 20 })
}
