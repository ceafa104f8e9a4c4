import { describe, expect, test } from 'vitest'
import { isEmailAddress } from './email-address.ts'

describe('an e-mail address', () => {
  test.each([
    'a@b',
    'maria.silva+contratos@empresa.com.br',
    "o'neill_#1@xn--caf-dma.example",
    `${'a'.repeat(64)}@${'b'.repeat(63)}.example`,
  ])('%s is one', (text) => expect(isEmailAddress(text)).toBe(true))

  test.each([
    '',
    'maria',
    '@empresa.com',
    'maria@',
    'maria@@empresa.com',
    'maria silva@empresa.com',
    '.maria@empresa.com',
    'maria..silva@empresa.com',
    'maria@empresa..com',
    'maria@-empresa.com',
    'maria@empresa.com.',
    'maria@empresa.com\n',
    '"maria"@empresa.com',
    'maria@[127.0.0.1]',
    'josé@empresa.com',
    `${'a'.repeat(65)}@empresa.com`,
    `a@${'b.'.repeat(126)}example`,
  ])('%j is none', (text) => expect(isEmailAddress(text)).toBe(false))
})
