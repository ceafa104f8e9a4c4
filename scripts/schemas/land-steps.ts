import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checksumsOf } from '@chancela/service-kernel/store'
import { services } from '../../apps/cli/src/services.ts'

type Landed = Record<string, Record<string, string>>

const FILE = join(import.meta.dirname, '../../apps/cli/landed-steps.json')

const landed: Landed = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Landed) : {}

for (const { name, migrations } of services) {
  if (!migrations) continue
  const steps = { ...landed[name] }
  for (const dialect of ['sqlite', 'postgres'] as const)
    for (const { owner, id, name: step, checksum } of await checksumsOf(migrations, dialect))
      steps[`${dialect} ${owner} ${id}: ${step}`] ??= checksum!
  landed[name] = steps
}

writeFileSync(FILE, `${JSON.stringify(landed, null, 2)}\n`)
