import { describe, expect, test } from 'vitest'
import { choose, parseCommandLine, UsageProblem } from './command-line.ts'

const parse = (...args: string[]) => parseCommandLine(args, '/repo/docs')

describe('the command line', () => {
  test('runs everything and records nothing unless told', () => {
    expect(parse()).toEqual({ action: 'run', only: [], ungated: false })
  })

  test('takes names, rounds, seconds and the order to record', () => {
    expect(parse('http', '--rounds', '5', '--seconds', '0.5', '--ungated', '--write')).toEqual({
      action: 'run',
      only: ['http'],
      rounds: 5,
      sampleSeconds: 0.5,
      ungated: true,
      record: '/repo/docs',
    })
    expect(parse('--docs', '/elsewhere').record).toBe('/elsewhere')
  })

  test.each([
    [['--rounds', '0']],
    [['--rounds', '1.5']],
    [['--rounds', 'many']],
    [['--seconds', '-1']],
    [['--seconds', 'Infinity']],
    [['--fast']],
    [['--rounds']],
  ])('refuses %j with a sentence', (args) => {
    expect(() => parse(...args)).toThrow(UsageProblem)
  })

  test('a name chooses its benchmark and those whose names it begins', () => {
    const all = ['http', 'store-insert', 'store-claim', 'storefront'].map((name) => ({ name }))
    const chosen = (...only: string[]) => choose(all, only).map(({ name }) => name)
    expect(chosen()).toEqual(['http', 'store-insert', 'store-claim', 'storefront'])
    expect(chosen('store')).toEqual(['store-insert', 'store-claim'])
    expect(chosen('store-claim', 'http')).toEqual(['http', 'store-claim'])
    expect(() => chosen('store', 'htpt')).toThrow(/"htpt"/)
  })
})
