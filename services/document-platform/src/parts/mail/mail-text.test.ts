import { runTool } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import type { MailData, MailKind, NotificationLanguage } from './mail-data.ts'
import { mailText } from './mail-text.ts'

const deadline = { at: new Date('2026-04-01T02:59:59Z'), timeZone: 'America/Sao_Paulo' }
const about = { name: 'Maria da Conceição', organization: 'Padaria Aurora Ltda', documents: ['Contrato nº 7'] }
const actionUrl = 'https://sign.example/document/key/K/sign?ticket=abc&lang=pt'
const request = {
  ...about,
  action: 'sign',
  sender: 'João Sá',
  description: 'Confira a cláusula 3.\nObrigado.',
  deadline,
  actionUrl,
  validHours: 24,
} as const

const samples: MailData = {
  'pending-action': request,
  reminder: { ...request, action: 'approve' },
  'authentication-code': { ...about, code: '481516', validMinutes: 10 },
  refused: {
    ...about,
    refusedBy: 'José Luís',
    reason: 'O valor está errado.',
    documentUrl: 'https://sign.example/d/1',
  },
  concluded: {
    ...about,
    key: 'A1B2C3D4E5',
    validationUrl: 'https://sign.example/validate/A1B2C3D4E5',
    downloadUrl: 'https://sign.example/d/1/download?ticket=x',
  },
  canceled: { ...about, canceledBy: 'João Sá', reason: 'Substituído por outro.' },
  expired: { ...about, deadline, documentUrl: 'https://sign.example/d/1' },
  invitation: {
    name: 'Maria',
    organization: 'Padaria Aurora Ltda',
    invitationUrl: 'https://sign.example/invitation?ticket=x',
    validHours: 168,
  },
  'password-reset': { name: 'Maria', resetUrl: 'https://sign.example/reset-password?ticket=x', validMinutes: 60 },
  'webhook-disabled': {
    name: 'Maria',
    organization: 'Padaria Aurora Ltda',
    endpointUrl: 'https://erp.example/hook?a=1&b=2',
    reason: 'The receiver answered 410.',
    settingsUrl: 'https://sign.example/webhooks',
  },
  'pending-summary': {
    name: 'Maria',
    pending: [
      { action: 'sign', document: 'Contrato nº 7', organization: 'Padaria Aurora Ltda', deadline, actionUrl },
      { action: 'approve', document: 'Ata', organization: 'Cooperativa Ipê', actionUrl: 'https://sign.example/a' },
    ],
  },
}

const kinds = Object.keys(samples) as MailKind[]
const languages: readonly NotificationLanguage[] = ['Pt', 'En', 'Es']
const everyMail = kinds.flatMap((kind) => languages.map((language) => [kind, language] as const))

/** What was given to a mail, besides dates and choices. */
const valuesIn = (data: unknown): string[] => {
  if (typeof data === 'string') return [data]
  if (data === null || typeof data !== 'object' || data === deadline) return []
  return Object.entries(data).flatMap(([name, value]) => (name === 'action' ? [] : valuesIn(value)))
}

/** The HTML as a reader sees it. */
const seen = (html: string): string =>
  html
    .slice(html.indexOf('<body'))
    .replace(/<br \/>/g, '\n')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')

describe.each(everyMail)('the mail %s in %s', (kind, language) => {
  const { subject, text, html } = mailText(kind, samples[kind], language)

  test('leaves no place of a text empty', () => {
    expect(subject + text + html).not.toMatch(/\{\{|\}\}|undefined|\[object/)
    expect(subject).not.toMatch(/^[a-z-]+\.[a-z.-]+$/)
  })

  test('tells everything in both its forms', () => {
    const links = new Set([...html.matchAll(/href="([^"]*)"/g)].map(([, url]) => url!.replaceAll('&amp;', '&')))
    for (const value of valuesIn(samples[kind])) {
      expect(text).toContain(value)
      if (!links.has(value)) expect(seen(html)).toContain(value)
    }
  })

  test('is well-formed HTML that fetches nothing', async () => {
    expect(await runTool('xmllint', ['--noout', '-'], { input: html })).toMatchObject({ ok: true, text: '' })
    expect(html).not.toMatch(/<(img|link|script|style|iframe|object)\b|src=|url\(/i)
  })
})

describe('a mail', () => {
  test('is in Portuguese unless told otherwise', () => {
    expect(mailText('reminder', request)).toEqual(mailText('reminder', request, 'Pt'))
  })

  test('says each thing in the language of its reader', () => {
    const texts = kinds.map((kind) => languages.map((language) => mailText(kind, samples[kind], language).text))
    for (const three of texts) expect(new Set(three).size).toBe(3)
    for (const [language, tag] of [
      ['Pt', 'pt-BR'],
      ['En', 'en-US'],
      ['Es', 'es'],
    ] as const)
      expect(mailText('expired', samples.expired, language).html).toContain(`<html lang="${tag}">`)
  })

  test('shows what people wrote as text, whatever it is', () => {
    const hostile = `<script>alert("1")</script> & '$t(footer.nobody)' {{sender}}`
    const data = {
      ...request,
      name: hostile,
      sender: hostile,
      organization: hostile,
      documents: [hostile],
      description: hostile,
    }
    const { subject, text, html } = mailText('pending-action', data, 'En')
    expect(subject).toBe(`Your signature is requested: ${hostile}`)
    expect(text).toContain(`${hostile} asks for your signature.`)
    expect(html).not.toContain('<script>')
    expect(seen(html)).toContain(`${hostile} asks for your signature.`)
  })

  test('a link cannot leave its attribute', () => {
    const { html } = mailText('pending-action', { ...request, actionUrl: 'https://a.example/"onclick="x' })
    expect(html).toContain('href="https://a.example/&quot;onclick=&quot;x"')
  })

  test('names the last day in the time zone of the organization', () => {
    expect(mailText('expired', samples.expired, 'Pt').text).toContain('Prazo: 31 de março de 2026')
    expect(mailText('expired', samples.expired, 'En').text).toContain('Deadline: March 31, 2026')
  })

  test('about several documents names the first and counts the others in its subject, and lists all', () => {
    const documents = ['Contrato', 'Anexo A', 'Anexo B']
    const { subject, text } = mailText('pending-action', { ...request, documents }, 'Pt')
    expect(subject).toBe('Assinatura pendente: Contrato e mais 2 documentos')
    expect(text).toContain('Documentos: Contrato\nAnexo A\nAnexo B')
  })

  test('to somebody whose name is not known greets nobody', () => {
    const { name: _, ...data } = samples.concluded
    expect(mailText('concluded', data, 'Pt').text).toMatch(/^Olá,\n/)
  })

  test('of a conclusion leads to the verification when there is nothing to download', () => {
    const { downloadUrl: _, ...data } = samples.concluded
    const { html } = mailText('concluded', data, 'Pt')
    expect(html).toContain('href="https://sign.example/validate/A1B2C3D4E5"')
    expect(seen(html)).toContain('Verificar as assinaturas')
  })

  test('with an authentication code has it in the text and not in the subject', () => {
    for (const language of languages)
      expect(mailText('authentication-code', samples['authentication-code'], language).subject).not.toContain('481516')
  })
})
