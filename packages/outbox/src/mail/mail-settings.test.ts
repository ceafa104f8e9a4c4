import { checkSettings, serviceSettings } from '@chancela/service-kernel/config'
import { describe, expect, test } from 'vitest'
import { mailRules, mailSettings } from './index.ts'

const schema = serviceSettings(
  {
    Http: { Port: 1 },
    Database: { Url: 'sqlite:a' },
    Secrets: { MasterKeyFile: 'a' },
  },
  { Email: mailSettings },
)

const problemsOf = (environment: Record<string, string>) => {
  const given = Object.fromEntries(
    Object.entries(environment).map(([key, value]) => [`CHANCELA__S__EMAIL__${key}`, value]),
  )
  const verdict = checkSettings({ schemas: { s: schema }, rules: { s: mailRules }, environment: given })
  return verdict.ok ? [] : verdict.problems.map(({ key, sentence }) => `${key} ${sentence}`)
}

describe('the section Email', () => {
  test('needs nothing while mail is off', () => {
    expect(problemsOf({})).toEqual([])
  })

  test('asks for the address the mails come from once mail is on', () => {
    expect(problemsOf({ ENABLED: 'true' })).toEqual(['s Email:From must be given while e-mails are enabled.'])
    expect(problemsOf({ ENABLED: 'true', FROM: 'a@b.example' })).toEqual([])
  })

  test('takes an address without a name', () => {
    expect(problemsOf({ FROM: 'Empresa <a@b.example>' })).toEqual([expect.stringContaining('an e-mail address')])
  })

  test('takes user and password together', () => {
    expect(problemsOf({ USERNAME: 'a' })).toEqual(['s Email:Password is given with Email:Username, or neither is.'])
    expect(problemsOf({ USERNAME: 'a', PASSWORD: 'b' })).toEqual([])
  })
})
