import { expect, test } from 'vitest'
import { answeringFirst, choiceAddress, type Offer } from './read-choice.ts'

test('the choice stands beside the page, also behind a proxy with a path of its own', () => {
  expect(choiceAddress('/choose/tick-et_1')).toBe('/choices/tick-et_1')
  expect(choiceAddress('/hub/choose/tick-et_1/')).toBe('/hub/choices/tick-et_1')
})

test.each(['/choose', '/choose/', '/', '/choose/a/b'])('%s names no ticket', (path) => {
  expect(choiceAddress(path)).toBeUndefined()
})

test('a provider that does not answer comes last, and nothing else changes its place', () => {
  const offer = (serviceName: string, available: boolean): Offer => ({
    serviceInfo: { serviceName, provider: '', endpoint: '', badgeUrl: null },
    authUrl: '',
    available,
  })
  const offers = [offer('a', false), offer('b', true), offer('c', false), offer('d', true)]
  expect(answeringFirst(offers).map(({ serviceInfo }) => serviceInfo.serviceName)).toEqual(['b', 'd', 'a', 'c'])
})
