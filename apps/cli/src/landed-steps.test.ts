// A step that landed has run on somebody's database: it never changes again. A new one is added to the list by
// `node scripts/land-steps.mjs`, which leaves those that are there as they are.
import { readFileSync } from 'node:fs'
import { checksumsOf } from '@chancela/service-kernel/store'
import { expect, test } from 'vitest'
import { services } from './services.ts'

const landed = JSON.parse(readFileSync(new URL('../landed-steps.json', import.meta.url), 'utf8')) as Record<
  string,
  Record<string, string>
>

test.each(services.flatMap(({ name, migrations }) => (migrations ? [[name, migrations] as const] : [])))(
  'every step of %s does what it did when it landed, on both databases',
  async (name, migrations) => {
    const now: Record<string, string> = {}
    for (const dialect of ['sqlite', 'postgres'] as const)
      for (const { owner, id, name: step, checksum } of await checksumsOf(migrations, dialect))
        now[`${dialect} ${owner} ${id}: ${step}`] = checksum!
    expect(now).toEqual(landed[name])
  },
)
