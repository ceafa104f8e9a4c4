import { describe, expect, test } from 'vitest'
import type { Schema } from './openapi.ts'
import { comment, typeScriptOf } from './typescript-of.ts'

describe('the TypeScript of a schema', () => {
  test.each<[Schema, string]>([
    [{ type: 'string', format: 'date-time' }, 'string'],
    [{ type: 'string', format: 'binary' }, 'Blob'],
    [{ type: 'integer' }, 'number'],
    [{ enum: ['A', 'B'] }, '"A" | "B"'],
    [{ const: 1 }, '1'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
    [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } }, 'readonly (string | null)[]'],
    [{ type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 9 } as Schema, 'readonly (string)[]'],
    [{ $ref: '#/components/schemas/Session' }, 'Session'],
    [{ type: 'object', properties: {} }, 'Record<never, never>'],
    [{ type: 'object', patternProperties: { '^.*$': {} } }, 'Readonly<Record<string, unknown>>'],
    [
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } }, required: ['a'] },
      '{\nreadonly a: string\nreadonly b?: number | undefined\n}',
    ],
    [
      { type: 'object', properties: { 'Idempotency-Key': { type: 'string' } } },
      "{\nreadonly 'Idempotency-Key'?: string | undefined\n}",
    ],
  ])('%j is %s', (schema, text) => {
    expect(typeScriptOf(schema)).toBe(text)
  })

  test('is refused for what the generator would lose without a word', () => {
    expect(() => typeScriptOf({ type: 'object', additionalProperties: false } as Schema)).toThrow(
      'additionalProperties',
    )
    expect(() => typeScriptOf({ type: 'tuple' })).toThrow('tuple')
  })
})

describe('a comment', () => {
  test('is left out, stands on one line, or is broken at words', () => {
    expect(comment(undefined)).toBe('')
    expect(comment('Short */ text.')).toBe('/** Short * / text. */\n')
    const lines = comment('word '.repeat(50).trim()).split('\n')
    expect([lines[0], lines.at(-2)]).toEqual(['/**', ' */'])
    expect(lines.slice(1, -2).join('').replaceAll(' * ', ' ').trim()).toBe('word '.repeat(50).trim())
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(104)
  })
})
