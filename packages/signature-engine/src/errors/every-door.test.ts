import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { EngineError } from './engine-error.ts'

type Callable = (...given: unknown[]) => unknown
type Class = (new (...given: unknown[]) => unknown) & Record<string, unknown>

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const entryPoints = Object.entries<{ 'chancela-source': string }>(manifest.exports)

/**
 * Doors that answer whatever they are given, and what they say of it. A new door that is none of these refuses a wrong
 * call by `requireArguments`.
 */
const answers: Readonly<Record<string, string>> = {
  EngineError: 'others may make one',
  refuseHttp: 'others may make one',
  isCpf: 'false: it is none',
  isCnpj: 'false: it is none',
  isArray: 'false: it is none',
  isDict: 'false: it is none',
  isStream: 'false: it is none',
  isOneLine: 'whether the text of it is one line',
  nameOf: 'undefined: it is no name',
  policyByOid: 'undefined: it is no policy',
  policyTitle: 'null: it is no policy',
  finding: 'a finding of what was said',
  leavesOpen: 'false: it is no code that leaves anything open',
  namedBits: 'without bits an empty list of them',
  sequence: 'without members an empty one',
  setOf: 'without members an empty one',
  boolean: 'a value is true or false',
  contextConstructed: 'a number',
  contextPrimitive: 'a number',
  DistinguishedName: 'names are read when they are asked for',
  PolicyCatalogue: 'without lists it has the policies that are built in',
  RevocationSource: 'every option has a default',
  createHttpExchange: 'every option has a default',
  readMarkTemplate: 'every member has a default',
}

/** Classes that the engine makes and users only receive: millions of them, so that nothing is looked at. */
const received: ReadonlySet<string> = new Set(['Certificate', 'DerMembers', 'DerValue', 'TrustAnchors', 'XmlIndex'])

/** For these a path is a text like another. */
const takesText: ReadonlySet<string> = new Set([
  'asOneLine',
  'asPrinted',
  'withoutUnseen',
  'plainLines',
  'formattedCpf',
  'formattedCnpj',
  'pemBlocks',
  'utf8String',
  'printableString',
  'ia5String',
  'bmpString',
])

const wrongCalls: readonly (readonly [name: string, given: readonly unknown[]])[] = [
  ['nothing', []],
  ['an empty object', [{}]],
  ['a path', ['contract.pdf']],
  ['three empty objects', [{}, {}, {}]],
  ['nulls', [null, null, null]],
]

const isClass = (door: unknown): door is Class =>
  typeof door === 'function' && /^class\b/.test(Function.prototype.toString.call(door))

/** The functions of an entry point: the exported ones, constructors and the static methods of its classes. */
function doorsOf(module: object): [name: string, call: Callable][] {
  return Object.entries(module).flatMap(([name, door]): [string, Callable][] => {
    if (!isClass(door)) return typeof door === 'function' ? [[name, door]] : []
    const make: [string, Callable][] = received.has(name) ? [] : [[name, (...given) => new door(...given)]]
    const statics = Object.getOwnPropertyNames(door).filter((own) => typeof door[own] === 'function')
    return [
      ...make,
      ...statics.map((own): [string, Callable] => [`${name}.${own}`, (door[own] as Callable).bind(door)]),
    ]
  })
}

/** What comes of a call; a stream is read to its end. */
async function outcome(call: Callable, given: readonly unknown[]): Promise<unknown> {
  try {
    const answer = await call(...given)
    if (Symbol.asyncIterator in Object(answer)) for await (const _ of answer as AsyncIterable<unknown>);
    return 'an answer'
  } catch (error) {
    return error
  }
}

describe.each(entryPoints)('every door of %s refuses a wrong call and names what is wrong', async (_, exported) => {
  const module = await import(new URL(`../../${exported['chancela-source']}`, import.meta.url).href)

  test.each(doorsOf(module))('%s', async (name, call) => {
    for (const [what, given] of wrongCalls) {
      const result = await outcome(call, given)
      const mayAnswer = name in answers || (what === 'a path' && takesText.has(name))
      const isFine = result instanceof EngineError || (result === 'an answer' && mayAnswer)
      expect(isFine, `${name} with ${what}: ${result}`).toBe(true)
    }
  })
})
