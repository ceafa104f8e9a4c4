import { encode } from 'uqr'
import { describe, expect, test } from 'vitest'
import type { SignaturesInfo } from './rendition-info.ts'
import { signaturesManifest } from './signatures-manifest.ts'
import { pageTexts, pixels, placedWords } from './test-support/judges.ts'
import { sampleInfo } from './test-support/sample-info.ts'

const flat = (text: string) => text.replaceAll(/\s+/g, ' ')

describe('the manifest', () => {
  test('tells document, key, dates, organization, participants and history', async () => {
    const [text, ...more] = await pageTexts(await signaturesManifest(sampleInfo))
    expect(more).toStrictEqual([])
    for (const told of [
      'Manifesto de assinaturas',
      'Contrato de prestação de serviços de manutenção – Edifício São João, 2ª versão.pdf',
      'Chave de verificação K7XQ-4MVD-92TB-HJWP',
      'Situação Concluído',
      'Construções & Manutenção Água Limpa Ltda.',
      'Criado em 02/03/2026 09:00:00 (UTC-03:00)',
      'Concluído em 04/03/2026 15:31:07 (UTC-03:00)',
      'MARIA DA CONCEIÇÃO GONÇALVES Assinado',
      'CPF: ***.982.247-** · maria@exemplo.com.br',
      'Com certificado digital emitido por AC Demonstração RFB v5 · Número de série 4F00A1B2C3D4',
      'João Łukasz Ñandú Assinado',
      'Eletronicamente, com código enviado por e-mail',
      'Diretoria Jurídica Aprovado',
      '02/03/2026 10:20:30 (UTC-03:00) Assinado · MARIA DA CONCEIÇÃO GONÇALVES',
      'https://documentos.exemplo.com.br/validate/K7XQ4MVD92TBHJWP',
      'Página 1 de 1',
    ])
      expect(flat(text!)).toContain(told)
    expect(text).not.toMatch(/52998224725|529\.982/)
  })

  test.each([
    ['en', 'Signatures manifest', 'Electronically, with a code sent by e-mail', '2026-03-02 10:20:30 (UTC-03:00)'],
    [
      'es',
      'Manifiesto de firmas',
      'Electrónicamente, con código enviado por correo',
      '02/03/2026 10:20:30 (UTC-03:00)',
    ],
  ] as const)('speaks %s', async (language, ...told) => {
    const [text] = await pageTexts(await signaturesManifest(sampleInfo, language))
    for (const one of told) expect(flat(text!)).toContain(one)
  })

  test('is read rightly by every reader, also the second one of a process', async () => {
    const name = 'Conceição'.normalize('NFD')
    for (const documentName of ['ãõçéêàüñ', 'aoceun', name]) {
      const [text] = await pageTexts(
        await signaturesManifest({ ...sampleInfo, documentName, participants: [], events: [] }),
      )
      expect(text).toContain(documentName.normalize('NFC'))
    }
  })

  test('tells who refused and why, and who is still expected', async () => {
    const info: SignaturesInfo = {
      ...sampleInfo,
      status: 'Refused',
      participants: [
        { role: 'Signer', name: 'Ana', status: 'Refused', refusalReason: 'Cláusula 4ª incorreta' },
        { role: 'Approver', name: 'Rui', status: 'Pending' },
        { role: 'Signer', name: 'Eva', status: 'Created' },
      ],
      events: [{ at: sampleInfo.createdAt, type: 'Refused', actor: 'Ana', detail: 'Cláusula 4ª incorreta' }],
    }
    const text = flat((await pageTexts(await signaturesManifest(info)))[0]!)
    for (const told of ['Ana Recusado', 'Motivo: Cláusula 4ª incorreta', 'Rui Pendente', 'Eva Aguardando a vez'])
      expect(text).toContain(told)
  })

  test('goes on over as many pages as it takes, and breaks no participant in two', async () => {
    const [participant] = sampleInfo.participants
    const participants = Array.from({ length: 40 }, (_, at) => ({ ...participant!, name: `Participante ${at + 1}` }))
    const pages = await pageTexts(await signaturesManifest({ ...sampleInfo, participants }))
    expect(pages.length).toBeGreaterThan(3)
    pages.forEach((text, at) => {
      expect(text).toContain(`Página ${at + 1} de ${pages.length}`)
      expect(text.match(/Participante \d+/g)?.length ?? 0).toBe(text.match(/Número de série/g)?.length ?? 0)
    })
    expect(pages.join().match(/Participante \d+/g)).toHaveLength(40)
  })

  test('keeps within its margins whatever stands in a name', async () => {
    const info: SignaturesInfo = {
      ...sampleInfo,
      documentName: 'á'.repeat(400),
      organizationName: 'Linha\nnova\u202e\u0000 fim',
      createdBy: '',
    }
    const words = await placedWords(await signaturesManifest(info))
    for (const { left, right } of words) expect([left >= 45, right <= 595.28 - 45]).toStrictEqual([true, true])
    expect(words.map(({ text }) => text).join(' ')).toContain('Linha nova fim')
  })

  test('shows the address of verification in a QR code, module by module', async () => {
    const page = await pixels(await signaturesManifest(sampleInfo), 288)
    const { size, data } = encode(sampleInfo.verificationUrl, { ecc: 'M', border: 0 })
    const [left, top, module] = [(595.28 - 46 - 92) * 4, 46 * 4, (92 * 4) / size]
    const drawn = data.map((row, y) =>
      row.map((_, x) => page.at(Math.floor(left + (x + 0.5) * module), Math.floor(top + (y + 0.5) * module)) < 128),
    )
    expect(drawn).toStrictEqual(data)
  })
})
