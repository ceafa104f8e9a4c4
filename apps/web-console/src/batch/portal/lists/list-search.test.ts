import { expect, test } from 'vitest'
import { listFromSearch } from './list-search.ts'

test.each([
  [{ list: 'decided' }, { list: 'decided' }],
  [{ list: 'others' }, {}],
  [{ list: ['decided', 'needs-you'] }, {}],
  [{}, {}],
])('an address with %j shows %j', (search, shown) => {
  expect(listFromSearch(search)).toEqual(shown)
})
