import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { serve } from '../serve.ts'
import { listen, testApp } from '../test-support/test-app.ts'
import { unknownFields } from './unknown-fields.ts'

const body = Type.Object({
  name: Type.String(),
  files: Type.Optional(Type.Union([Type.Array(Type.Object({ id: Type.String() })), Type.Null()])),
  values: Type.Optional(Type.Record(Type.String(), Type.String())),
  anything: Type.Optional(Type.Unknown()),
})

async function sent(value: unknown, options: object = { tellsUnknownFields: true }) {
  const { app, lines } = await testApp({ tolerance: { anyCaseNames: true }, ...options })
  const route = { method: 'POST', path: '/t', summary: 'T.', access: 'anonymous', body } as const
  serve(app, route, () => {})
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${await listen(app)}/t`, { method: 'POST', headers, body: JSON.stringify(value) })
  const logged = lines.find(({ msg }) => msg === 'unknown fields in a request')
  return { status: answer.status, warning: answer.headers.get('warning'), logged, lines }
}

describe('fields nobody knows', () => {
  test('are named in the answer and in the log, each once, whatever item they stand in', async () => {
    const files = [
      { id: 'a', colour: 'red' },
      { id: 'b', colour: 'blue' },
    ]
    const { status, warning, logged, lines } = await sent({ name: 'n', foo: 'secret', files })
    expect(status).toBe(204)
    expect(warning).toBe('299 - "unknown field: foo", 299 - "unknown field: files[].colour"')
    expect(logged).toMatchObject({ unknownFields: ['foo', 'files[].colour'], route: '/t' })
    expect(JSON.stringify(lines)).not.toMatch(/secret|red|blue/)
  })

  test('are none where every name is known, in any case, or where names are the caller’s own', async () => {
    const known = { NAME: 'n', files: null, values: { colour: 'red' }, anything: { deep: { inside: 1 } } }
    expect(await sent(known)).toMatchObject({ status: 204, warning: null, logged: undefined })
  })

  test('are ignored by a service that does not ask', async () => {
    expect(await sent({ name: 'n', foo: 1 }, {})).toMatchObject({ status: 204, warning: null, logged: undefined })
  })

  test('are refused by a service that says so, in the query, too, but never where anybody may call', async () => {
    const schemes = { key: { authenticate: () => 'caller', credentialOf: String, security: {} } }
    const { app } = await testApp({ refusesUnknownNames: true, schemes })
    const shape = { path: '/t', summary: 'T.' } as const
    const query = Type.Object({ page: Type.Optional(Type.String()) })
    serve(app, { ...shape, method: 'POST', body, query }, () => {})
    serve(app, { ...shape, method: 'DELETE' }, () => {})
    serve(app, { ...shape, method: 'GET', access: 'anonymous' }, () => {})
    const url = `${await listen(app)}/t`
    const call = async (method: string, path = '', value?: unknown) => {
      const headers = { 'content-type': 'application/json', 'accept-language': 'pt-BR' }
      const answer = await fetch(url + path, { method, headers, ...(value ? { body: JSON.stringify(value) } : {}) })
      return { status: answer.status, text: await answer.text() }
    }
    expect(await call('POST', '?page=1', { name: 'n', values: { own: 'x' } })).toMatchObject({ status: 204 })
    for (const answer of [
      await call('POST', '?pgae=1', { name: 'n' }),
      await call('POST', '', { name: 'n', pgae: 1 }),
      await call('DELETE', '?pgae=1'),
      await call('DELETE', '', { pgae: 1 }),
    ])
      expect(answer).toMatchObject({ status: 400, text: expect.stringMatching(/"pgae":\["não é conhecido aqui"\]/) })
    expect(await call('DELETE', '', {})).toMatchObject({ status: 204 })
    expect(await call('GET', '?pgae=1')).toMatchObject({ status: 204 })
  })

  test('cannot write headers or lines of their own, and are not counted without end', () => {
    const find = unknownFields(body)!
    expect(find({ 'a"\r\nset-cookie: x=1': 1, [`${'b'.repeat(200)}`]: 2 })).toEqual([
      'a???set-cookie:?x?1',
      'b'.repeat(80),
    ])
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`f${n}`, n]))
    expect(find(many)).toHaveLength(16)
  })
})
