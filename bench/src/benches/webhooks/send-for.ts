import { setTimeout as sleep } from 'node:timers/promises'
import type { Run } from '../../harness/benchmark.ts'
import { type Program, startProgram } from '../../harness/program.ts'
import type { Outbox } from './outbox.ts'

/** Starts the fast receiver, in a process and on a core of its own; its message is its address. */
export const startSink = (): Promise<Program<string>> =>
  startProgram<string>(new URL('./sink-process.ts', import.meta.url), { core: 1 })

/** Runs a sender for so long; returns the number of deliveries to the endpoint. */
export async function sendFor(outbox: Outbox, endpointId: string, forMs: number): Promise<Run> {
  const before = await outbox.waiting(endpointId)
  const sender = outbox.sender()
  const begun = performance.now()
  sender.start()
  await sleep(forMs)
  // Even a sample of a few milliseconds must count at least one delivery.
  while ((await outbox.waiting(endpointId)) === before) await sleep(20)
  await sender.stop()
  const wallMs = performance.now() - begun
  return { operations: before - (await outbox.waiting(endpointId)), wallMs }
}
