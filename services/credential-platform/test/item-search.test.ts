// Items are found by the beginnings of words of names and courses, by CPF and by code, in the own organization alone.
import { describe, expect, test } from 'vitest'
import { wordKey } from '../src/rules/search-key.ts'
import { searchItems } from '../src/store/item-search.ts'
import { addTerms } from '../src/store/item-terms.ts'
import { databases, instituteOf, organizationAt, sharedPlatform } from './test-support/credential-world.ts'
import { itemsAt } from './test-support/items.ts'

const people = [
  ['Ana Beatriz Souza', '52998224725', 'Pedagogia'],
  ['José Antônio da Silva', '11144477735', 'Direito'],
  ['Mariana Souza', '39053344705', 'Direito'],
] as const

for (const database of databases) {
  describe(`searching on ${database}`, () => {
    const open = sharedPlatform(database)

    async function school() {
      const world = open()
      const organization = await organizationAt(world)
      const { id: instituteId } = await instituteOf(organization)
      const { create, rowOf } = itemsAt(world, { ...organization, instituteId })
      for (const [name, cpf, course] of people) {
        const search_key = wordKey([name, cpf, course, `100.200.${cpf.slice(0, 6)}abc`])
        const id = await create('Degree', { student_name: name, student_cpf: cpf, course, search_key }, true)
        await addTerms(world.store.db, 'degree', [(await rowOf('Degree', id)) as never])
        world.clock.advance(60_000)
      }
      const { subscriptionId } = organization
      const find = async (more: object, limits?: Parameters<typeof searchItems>[3]) => {
        const asked = { subscriptionId, limit: 10, offset: 0, ...more }
        const { items, total } = await searchItems(world.store.db, 'degree', asked, limits)
        return [items.map(({ student_name }) => student_name.split(' ')[0]), total]
      }
      return { world, find, instituteId }
    }

    test('by words in any order and without accents, by CPF in any notation, by code', async () => {
      const { find } = await school()
      expect(await find({ q: 'souza' })).toEqual([['Mariana', 'Ana'], 2])
      expect(await find({ q: 'SOU bea' })).toEqual([['Ana'], 1])
      expect(await find({ q: 'jose antonio' })).toEqual([['José'], 1])
      expect(await find({ q: 'direito souza' })).toEqual([['Mariana'], 1])
      expect(await find({ q: '529.982.247-25' })).toEqual([['Ana'], 1])
      expect(await find({ q: '100.200.111444' })).toEqual([['José'], 1])
      expect(await find({ q: 'da' })).toEqual([['José'], 1])
      // Short words match whole, and the middle of a word does not.
      expect(await find({ q: 'an' })).toEqual([[], 0])
      expect(await find({ q: 'riana' })).toEqual([[], 0])
      expect(await find({ q: "%_'" })).toEqual([['Mariana', 'José', 'Ana'], 3])
    })

    test('the same where a state is common, and where counting is left out', async () => {
      const { find } = await school()
      const limits = { rare: 0, passed: 0, counted: 1 }
      expect(await find({ q: 'souza' }, limits)).toEqual([['Mariana', 'Ana'], 2])
      expect(await find({ q: 'souza', limit: 1, offset: 1 }, limits)).toEqual([['Ana'], 2])
      expect(await find({ q: 'souza direito', statuses: ['Pending'] }, limits)).toEqual([['Mariana'], 1])
      expect(await find({ q: 'antonio souza' }, limits)).toEqual([[], 0])
      expect(await find({ statuses: ['Pending'], limit: 1 }, limits)).toEqual([['Mariana'], null])
    })

    test('by state, institution and time, page by page, and never those of others', async () => {
      const { world, find, instituteId } = await school()
      await school()
      expect(await find({})).toEqual([['Mariana', 'José', 'Ana'], 3])
      expect(await find({ limit: 1, offset: 1 })).toEqual([['José'], 3])
      expect(await find({ statuses: ['Concluded'] })).toEqual([[], 0])
      expect(await find({ statuses: ['Pending', 'Concluded'], q: 'ana' })).toEqual([['Ana'], 1])
      expect(await find({ instituteId, q: 'souza' })).toEqual([['Mariana', 'Ana'], 2])
      expect(await find({ instituteId: crypto.randomUUID() })).toEqual([[], 0])
      const now = world.clock()
      const before = new Date(now.getTime() - 5.5 * 60_000).toISOString()
      expect(await find({ to: before })).toEqual([['Ana'], 1])
      expect(await find({ from: before })).toEqual([['Mariana', 'José'], 2])
    })
  })
}
