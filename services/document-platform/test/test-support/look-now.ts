import { LOOK_NOW } from '@chancela/service-kernel/workers'
import { vi } from 'vitest'
import type { PlatformWorld } from './platform-world.ts'

/** Advances the clock, and makes all workers poll at once. */
export async function later({ clock, store }: PlatformWorld, time: number): Promise<void> {
  clock.advance(time)
  await store.notify(store.db, LOOK_NOW)
}

/**
 * The same; resolves when unreferenced bytes have been swept at that time. An earlier sweep may end later, so the log
 * shows the time a sweep is of. Sweeps run once a day at most.
 */
export async function laterSwept(world: PlatformWorld, time: number): Promise<void> {
  await later(world, time)
  const swept = `"asOf":"${world.clock().toISOString()}"`
  await vi.waitUntil(() => world.log().includes(swept), { interval: 20 })
}
