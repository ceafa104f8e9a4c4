import { spawnSync } from 'node:child_process'
import { keySigner } from '@chancela/signature-engine/keys'
import {
  addSignatureFields,
  type Drawing,
  drawElements,
  type SignPadesOptions,
  signPades,
  stampPages,
} from '@chancela/signature-engine/pades'
import { Certificate } from '@chancela/signature-engine/x509'
import { pkiOfToday } from '@chancela/testkit/test-files'
import { describe, expect, test } from 'vitest'
import type { DegreeData } from './contents/shapes.ts'
import type { TranscriptData } from './contents/transcript-shapes.ts'
import { representCurriculum } from './curriculum.ts'
import { representDegree } from './degree.ts'
import { sampleCurriculum } from './samples/sample-curriculum.ts'
import { sampleDegree } from './samples/sample-degree.ts'
import { sampleTranscript } from './samples/sample-transcript.ts'
import { defaultDegreeTemplate } from './templates/default-degree.ts'
import { previewTemplate, templateGuide } from './templates.ts'
import { soundFile } from './test-support/judges.ts'
import { sampleInput } from './test-support/sample-input.ts'
import { representTranscript } from './transcript.ts'

/** With what it needs of older versions of Java. */
const preflightJars = ['preflight', 'pdfbox2', 'fontbox2', 'xmpbox', 'commons-logging', 'javax.activation', 'jaxb-api']
const jars = preflightJars.map((name) => `/usr/share/java/${name}.jar`)

/** What PDFBox Preflight says of a file. */
async function verdictOf(pdf: Uint8Array): Promise<string> {
  const path = await soundFile(pdf)
  const { stdout, stderr } = spawnSync('java', [
    '-cp',
    jars.join(':'),
    'org.apache.pdfbox.preflight.Validator_A1b',
    path,
  ])
  return `${stdout}${stderr}`.replaceAll(path, 'it')
}

const named = (nome: string): DegreeData => ({
  ...sampleDegree,
  dadosDiploma: { ...sampleDegree.dadosDiploma, diplomado: { ...sampleDegree.dadosDiploma.diplomado, nome } },
})

const { historicoEscolar } = sampleTranscript
const manySheets: TranscriptData = {
  ...sampleTranscript,
  historicoEscolar: {
    ...historicoEscolar,
    elementosHistorico: Array.from({ length: 10 }, () => historicoEscolar.elementosHistorico).flat(),
  },
}

/** A PNG of one transparent pixel. */
const logo = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

const representations: Readonly<Record<string, () => Uint8Array>> = {
  degree: () => representDegree({ ...sampleInput, data: sampleDegree }),
  transcript: () => representTranscript({ ...sampleInput, data: sampleTranscript }),
  curriculum: () => representCurriculum({ ...sampleInput, data: sampleCurriculum }),
  'degree with letters of a face that stands in': () =>
    representDegree({ ...sampleInput, data: named('Łukasz Ƣ ŉ Đorđe Ǆ') }),
  'transcript of many sheets': () => representTranscript({ ...sampleInput, data: manySheets }),
  'degree with a logo': () =>
    representDegree({ ...sampleInput, data: sampleDegree, template: { ...defaultDegreeTemplate, pictures: { logo } } }),
  'preview of a degree': () => previewTemplate(templateGuide('degree').template),
}

const shown = { x: 50, y: 40, width: 200, height: 60, lines: ['Assinado por João'], border: true }

/** Half of it is seen, over its pages and over what is there. */
const copy: Drawing = {
  x: 50,
  y: 300,
  width: 200,
  height: 60,
  background: { red: 1, green: 0, blue: 0, alpha: 0.5 },
  elements: [{ kind: 'text', box: { x: 0, y: 0, width: 200, height: 60 }, runs: [{ text: 'Cópia 日' }] }],
}

const signer = async () => {
  const { pki } = await pkiOfToday()
  const issued = await pki.issuePerson({ name: 'João', cpf: '52998224725' }, { key: 'P-256' })
  return keySigner({ certificate: Certificate.read(issued.der), chain: [], privateKey: issued.key.privateKey })
}

const signed = async (pdf: Uint8Array, options: Partial<SignPadesOptions> = {}) =>
  signPades(pdf, await signer(), { now: new Date(), ...options })

const signatures: Readonly<Record<string, (pdf: Uint8Array) => Promise<Uint8Array>>> = {
  invisibly: (pdf) => signed(pdf),
  'twice, visibly': async (pdf) => signed(await signed(pdf, { appearance: shown }), { appearance: shown }),
  'with a picture that is seen through': (pdf) =>
    signed(pdf, { appearance: { ...shown, image: Buffer.from(logo, 'base64') } }),
  'with the mark of a template in a field made for it': (pdf) =>
    signed(addSignatureFields(pdf, [{ name: 'Diretor', place: shown, lock: { action: 'all' } }, { name: 'Oculta' }]), {
      fieldName: 'Diretor',
      mark: { image: { data: Buffer.from(logo, 'base64'), side: 'behind' }, qrCode: { text: '{serialNumber}' } },
    }),
  'with marks as annotations': async (pdf) => signed(pdf, { stamps: await drawElements([copy]) }),
  'over marks on its pages': async (pdf) => {
    const [picture] = await drawElements([copy])
    return signed(stampPages(pdf, { stamps: [{ picture: picture!, pages: [1] }] }))
  },
}

describe('PDFBox Preflight', () => {
  for (const [kind, draw] of Object.entries(representations))
    test(`finds a ${kind} to be PDF/A-1b`, async () => {
      expect(await verdictOf(draw())).toMatch(/is a valid PDF\/A-1b file/)
    })

  for (const [how, sign] of Object.entries(signatures))
    test(`finds one to be PDF/A-1b still that is signed ${how}`, async () => {
      expect(await verdictOf(await sign(representations.curriculum!()))).toMatch(/is a valid PDF\/A-1b file/)
    })

  test('finds a file that is none', async () => {
    const broken = Buffer.from(representations.degree!()).toString('latin1').replace('/GTS_PDFA1', '/GTS_PDFX1')
    expect(await verdictOf(Buffer.from(broken, 'latin1'))).not.toMatch(/is a valid/)
  })
})
