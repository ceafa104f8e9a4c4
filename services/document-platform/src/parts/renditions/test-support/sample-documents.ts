import { degrees, PDFDocument, PDFName, PDFString } from '@cantoo/pdf-lib'
import { keySigner } from '@chancela/signature-engine/keys'
import { type Appearance, signPades } from '@chancela/signature-engine/pades'
import { Certificate } from '@chancela/signature-engine/x509'
import { cachedKeys, createDemoPki } from '@chancela/testkit/demo-pki'

export interface PageShape {
  /** Default 0. */
  readonly rotate?: number
  /** Left, bottom, width, height. Default A4 from the origin. */
  readonly mediaBox?: readonly [number, number, number, number]
  readonly cropBox?: readonly [number, number, number, number]
}

/** One page of each shape, each saying `Page<n>` in its middle. */
export async function shapedPdf(...shapes: readonly PageShape[]): Promise<Buffer> {
  const document = await PDFDocument.create()
  shapes.forEach(({ rotate = 0, mediaBox = [0, 0, 595, 842], cropBox }, at) => {
    const page = document.addPage([mediaBox[2], mediaBox[3]])
    page.setMediaBox(...mediaBox)
    if (cropBox) page.setCropBox(...cropBox)
    page.setRotation(degrees(rotate))
    const [x, y, width, height] = cropBox ?? mediaBox
    page.drawText(`Page${at + 1}`, { x: x + width / 2, y: y + height / 2, size: 12 })
  })
  return Buffer.from(await document.save())
}

/** A form with a field of each kind. */
export async function formPdf(): Promise<Buffer> {
  const document = await PDFDocument.create()
  const page = document.addPage([595, 842])
  page.drawText('Ficha', { x: 60, y: 780 })
  const form = document.getForm()
  const box = (y: number) => ({ x: 60, y, width: 300, height: 20 })
  form.createTextField('cliente.nome').addToPage(page, box(700))
  const short = form.createTextField('cliente.uf')
  short.setMaxLength(2)
  short.addToPage(page, box(660))
  form.createCheckBox('aceite').addToPage(page, { x: 60, y: 620, width: 16, height: 16 })
  const plan = form.createRadioGroup('plano')
  plan.addOptionToPage('mensal', page, { x: 60, y: 580, width: 16, height: 16 })
  plan.addOptionToPage('anual', page, { x: 100, y: 580, width: 16, height: 16 })
  const city = form.createDropdown('cidade')
  city.addOptions(['Recife', 'Natal'])
  city.addToPage(page, box(540))
  return Buffer.from(await document.save())
}

/** The same form, filled without appearance streams. */
export async function undrawnFormPdf(value: string): Promise<Buffer> {
  const document = await PDFDocument.load(await formPdf())
  const { acroField } = document.getForm().getTextField('cliente.nome')
  acroField.dict.set(PDFName.of('V'), PDFString.of(value))
  for (const { dict } of acroField.getWidgets()) dict.delete(PDFName.of('AP'))
  return Buffer.from(await document.save({ updateFieldAppearances: false }))
}

/** A form with an invalid field type. */
export async function damagedFormPdf(): Promise<Buffer> {
  const document = await PDFDocument.load(await formPdf())
  document.getForm().getTextField('cliente.nome').acroField.dict.set(PDFName.of('FT'), document.context.obj(12))
  return Buffer.from(await document.save({ updateFieldAppearances: false }))
}

/** A page with a link to an address and one to the second page. */
export async function linkedPdf(): Promise<Buffer> {
  const document = await PDFDocument.create()
  const [first, second] = [document.addPage([595, 842]), document.addPage([595, 842])]
  const { context } = document
  const link = (more: object) =>
    context.register(context.obj({ Type: 'Annot', Subtype: 'Link', Rect: [100, 700, 200, 720], P: first.ref, ...more }))
  const action = context.obj({ S: 'URI', URI: PDFString.of('https://example.com/') })
  const annotations = [link({ A: action }), link({ Dest: [second.ref, 'Fit'] })]
  first.node.set(PDFName.of('Annots'), context.obj(annotations))
  return Buffer.from(await document.save())
}

/** The document signed by a demo holder, visibly. */
export async function signedPdf(pdf: Uint8Array, appearance: Appearance): Promise<Buffer> {
  const now = new Date('2026-03-02T12:00:00Z')
  const pki = await createDemoPki({ keys: cachedKeys(), clock: () => now, baseUrl: 'http://localhost' })
  const maria = await pki.issuePerson({ name: 'MARIA DA SILVA', cpf: '52998224725' })
  const [certificate, ...chain] = pki.chainOf(maria).map(({ der }) => Certificate.read(der))
  const signer = keySigner({ certificate: certificate!, chain, privateKey: maria.key.privateKey })
  return signPades(pdf, signer, { now, appearance })
}
