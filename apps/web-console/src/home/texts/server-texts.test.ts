import { expect, test } from 'vitest'
import { sampleSuite } from '../../../test/sample-suite.ts'
import { commandTitle, serviceText } from './server-texts.ts'

const [sessionServer, unknown] = ['session-server', 'archive'].map(
  (name) => sampleSuite().services.find((service) => service.name === name)!,
)

test('services and commands are described in the visitor’s language', () => {
  expect(serviceText(sessionServer!, 'pt-BR').title).toBe('Servidor de sessões de assinatura')
  expect(commandTitle('Can it work?', 'pt-BR')).toBe('Está pronto para trabalhar?')
  expect(serviceText(sessionServer!, 'en-US').title).toBe('Signing session server')
})

test('a service or a command newer than the page keeps the server’s words', () => {
  expect(serviceText(unknown!, 'pt-BR')).toMatchObject({ title: 'Evidence archive' })
  expect(commandTitle('A title nobody has translated', 'pt-BR')).toBe('A title nobody has translated')
})
