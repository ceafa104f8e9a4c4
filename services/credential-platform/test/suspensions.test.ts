// Suspensions that end by themselves on a day that was said.
import { DAY } from '@chancela/service-kernel/clock'
import { LOOK_NOW } from '@chancela/service-kernel/workers'
import { callerOf } from '@chancela/testkit/service-world'
import { describe, expect, test } from 'vitest'
import { databases, sharedPlatform } from './test-support/credential-world.ts'
import { schoolAt } from './test-support/issuing.ts'
import { itemsAt } from './test-support/items.ts'
import { clock, signingSettings } from './test-support/pki.ts'
import { closedDegree, closedDocumentation, issuer, newCode, registrar } from './test-support/registry.ts'
import { giveFile } from './test-support/two-institutes.ts'

const dayAfter = (days: number): string => new Date(clock().getTime() + days * DAY).toISOString().slice(0, 10)

for (const database of databases) {
  describe(`suspensions on ${database}`, () => {
    const open = sharedPlatform(database, signingSettings, clock)

    test('a degree is valid again on the day that was said, once, and everybody is told; others are not', async () => {
      const world = open()
      const school = await schoolAt(world, { stored: false })
      const items = itemsAt(world, school)
      const verification_code = `${issuer.code}.${registrar.code}.${newCode()}`
      const concluded = { status: 'Concluded', concluded_at: clock().toISOString() }
      const id = await items.create('Degree', { ...concluded, verification_code }, true)
      const other = await items.create('Degree', concluded, true)
      const xml = await closedDegree(await closedDocumentation(), { code: verification_code })
      await giveFile(world, id, 'public-xml', xml)
      const suspend = (degree: string, body: object) =>
        school.json('POST', `/api/degrees/${degree}/cancellation`, { temporary: true, reason: 'Em apuração', ...body })
      for (const wrong of [
        { until: dayAfter(-1) },
        { until: dayAfter(2), temporary: false, cancellationReason: 'ErroDeFato' },
      ])
        expect(Object.keys((await suspend(id, wrong)).body.errors)).toEqual(['until'])
      const until = dayAfter(2)
      expect((await suspend(id, { until })).body.status).toBe('CanceledTemporarily')
      expect((await suspend(other, {})).body.status).toBe('CanceledTemporarily')
      const anybody = callerOf(world.baseUrl)
      const shown = (await anybody.json('GET', `/${verification_code}`)).body
      expect(shown).toMatchObject({ status: 'Suspended', statusUntil: `${until}T03:00:00.000Z` })
      const page = await anybody.call('GET', `/${verification_code}`, { headers: { accept: 'text/html' } })
      expect(await page.text()).toMatch(/Volta a valer em|Valid again from/)

      clock.advance(DAY / 2)
      await world.store.notify(world.store.db, LOOK_NOW)
      expect((await school.json('GET', `/api/degrees/${id}`)).body.status).toBe('CanceledTemporarily')
      clock.advance(2 * DAY)
      await world.store.notify(world.store.db, LOOK_NOW)
      await school.reaches(`/api/degrees/${id}`, 'Concluded')
      await school.arrived(3)
      expect(school.types().toSorted()).toEqual([
        'DegreeCanceledTemporarily',
        'DegreeCanceledTemporarily',
        'DegreeRestored',
      ])
      const again = (await anybody.json('GET', `/${verification_code}`)).body
      expect(again).toMatchObject({ status: 'Valid', statusUntil: null })
      expect((await school.json('GET', `/api/degrees/${other}`)).body.status).toBe('CanceledTemporarily')
    })
  })
}
