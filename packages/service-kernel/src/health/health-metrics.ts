import { Gauge } from 'prom-client'
import type { Metrics } from '../metrics/index.ts'
import type { DiskSpace } from './disk-space.ts'
import type { Readiness } from './readiness.ts'

/** Every check as a gauge, so that alarms need not ask for readiness; read at each scrape, from the cached verdict. */
export function measureHealth(
  { registry, prefix }: Metrics,
  { readiness, disks }: { readonly readiness: Readiness; readonly disks: DiskSpace },
): void {
  const registers = [registry]
  new Gauge({
    name: `${prefix}ready`,
    help: 'Whether the service can do its work: 1, or 0 while a check that counts is red.',
    registers,
    async collect() {
      this.set((await readiness.verdict()).ready ? 1 : 0)
    },
  })
  new Gauge({
    name: `${prefix}check_ok`,
    help: 'The result of each readiness check: 1, or 0 while it is red.',
    labelNames: ['check'],
    registers,
    async collect() {
      const verdict = await readiness.verdict()
      this.reset()
      for (const { name, ok } of verdict.checks) this.set({ check: name }, ok ? 1 : 0)
    },
  })
  new Gauge({
    name: `${prefix}disk_free_bytes`,
    help: 'Bytes the service may still write, by folder.',
    labelNames: ['folder'],
    registers,
    async collect() {
      this.reset()
      for (const [folder, bytes] of await disks.free()) this.set({ folder }, bytes)
    },
  })
}
