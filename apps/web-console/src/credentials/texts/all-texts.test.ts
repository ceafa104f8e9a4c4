import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errors, eventKinds } from '@chancela/credential-platform/contract'
import { expect, test } from 'vitest'
import { faultsOf } from '../../../test/texts.ts'
import type { Catalogue } from '../../shared/i18n/catalogue.ts'
import { allTexts } from './all-texts.ts'
import { codeTexts } from './code-texts.ts'
import { eventsTexts } from './events-texts.ts'

const catalogues = Object.entries({ ...allTexts, codeTexts }) as [string, Catalogue<object>][]

test.each(catalogues)(
  'every text of %s says something and fills in the same values in each language',
  (_, catalogue) => {
    expect(faultsOf(catalogue)).toEqual([])
  },
)

test('every code of the service is explained, and no explanation outlives its code', () => {
  expect(Object.keys(codeTexts['en-US']).sort()).toEqual(Object.keys(errors).sort())
})

const service = join(import.meta.dirname, '../../../../../services/credential-platform/src')

/** Those of documents, which are types elsewhere. */
const kinds: readonly string[] = [...eventKinds, 'AcademicDocumentation']

/** What the service records in its audit, as it stands in its source. */
const recorded = readdirSync(service, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .flatMap((name) => [
    ...readFileSync(join(service, name), 'utf8').matchAll(/\b(?:event|type): '([A-Z][a-z]+(?:[A-Z][a-z]+)+)'/g),
  ])
  .map(([, type]) => type!)
  .filter((type) => !kinds.includes(type))

test('every event that the service records has words', () => {
  expect(recorded.length).toBeGreaterThan(20)
  expect(recorded.filter((type) => !Object.hasOwn(eventsTexts['en-US'].type, type))).toEqual([])
})
