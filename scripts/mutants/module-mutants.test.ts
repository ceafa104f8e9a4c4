import { describe, expect, test } from 'vitest'
import { inTurn } from './draw.ts'
import { changesOf, withChange } from './module-mutants.ts'
import { quotas } from './packages.ts'
import { probed, stretchId } from './reach.ts'

/** Every text a source can become. */
const mutantsOf = (source: string) => changesOf('a.ts', source).map((change) => withChange(source, change))

describe('what is changed', () => {
  test.each([
    ['a === b', ['a !== b']],
    ['a < b', ['a <= b', 'a >= b']],
    ['a && b', ['a || b']],
    ['a ?? b', ['a && b']],
    ['a - b', ['a + b']],
    ['!a', ['a']],
    ['n += a', ['n -= a', 'n = a']],
    ['n++', ['n--']],
    ['x = true', ['x = false']],
    ['x = 7', ['x = 8', 'x = 6']],
    ["x = 'code'", ["x = ''"]],
    ['x = [a]', ['x = []']],
    ['x = /^a$/u', ['x = /a$/u', 'x = /^a/u']],
    ['x = a.some(f)', ['x = a.every(f)']],
    ['x = a.trim()', ['x = a']],
    ['f(a)', [';']],
    ['throw a', [';']],
    ['if (a) f = b', ['if (true) f = b', 'if (false) f = b']],
    ['x = a ? b : c', ['x = true ? b : c', 'x = false ? b : c']],
    ['const f = () => a', ['const f = () => undefined']],
  ])('%s', (source, mutants) => {
    expect(mutantsOf(source)).toEqual(mutants)
  })
})

test.each([
  ['types', 'let x: "code" | 7 | true'],
  ['names of modules', "import { a } from 'module'; export { b } from 'module'"],
  ['names of properties', "x = { 'a-b': c }"],
  ['sentences, which no test asserts on', "x = 'A sentence for people.'"],
])('%s are left alone', (_what, source) => {
  expect(mutantsOf(source)).toEqual([])
})

test('a module with probes does what it did, and tells which of its stretches ran', () => {
  const source = 'const f = (a) => (a > 1 ? a * 2 : a * 3)\nif (f(1) === 3) result.push(f(2))\nelse result.push(1)'
  const changes = changesOf('m.js', source)
  const ran: string[] = []
  const result: number[] = []
  Object.assign(globalThis, { chancelaReached: (id: string) => ran.push(id) })
  const stretches = changes.map(({ stretch }) => stretch)
  new Function('result', probed('m.js', source, stretches))(result)
  expect(result).toEqual([4])
  const elsewhere = changes.filter(({ stretch }) => !ran.includes(stretchId('m.js', stretch)))
  expect(elsewhere.map(({ start, end }) => source.slice(start, end))).toEqual(['result.push(1)', '1', '1'])
})

test('one seed draws one order, in which the kinds take turns', () => {
  const all = Array.from({ length: 60 }, (_, index) => ({ operator: index % 10 === 0 ? 'rare' : 'common', index }))
  const drawn = [...inTurn(all, 5)]
  expect([...inTurn(all, 5)]).toEqual(drawn)
  expect([...inTurn(all, 6)]).not.toEqual(drawn)
  expect(drawn.slice(0, 12).filter(({ operator }) => operator === 'rare')).toHaveLength(6)
  expect(drawn.toSorted((a, b) => a.index - b.index)).toEqual(all)
})

test('every package of a small sample has a mutant', () => {
  const [large, small] = [
    { name: 'large', folder: 'large', share: 99 },
    { name: 'small', folder: 'small', share: 1 },
  ]
  expect([...quotas([large!, small!], 10).values()]).toEqual([10, 1])
})
