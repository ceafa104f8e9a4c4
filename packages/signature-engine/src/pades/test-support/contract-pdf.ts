import { type SampleOptions, tablePdf } from '../../pdf/test-support/sample-pdfs.ts'

/** Object numbers of the contract, by what they are. */
export const contract = {
  catalog: 1,
  pages: 2,
  font: 3,
  page: 4,
  content: 5,
  secondPage: 6,
  overlay: 20,
  form: 100,
  amount: 101,
  agreed: 102,
  comment: 103,
  party: 104,
  amountPicture: 105,
  partyName: 108,
  layers: 110,
  emptySignature: 112,
  info: 115,
  metadata: 116,
  hiddenCatalog: 120,
  hiddenTwin: 130,
} as const

export const stream = (data: string, entries = ''): string =>
  `<< ${entries} /Length ${data.length} >>\nstream\n${data}\nendstream`

export const text = (words: string): string => `BT /F1 24 Tf 72 600 Td (${words}) Tj ET`

const picture = (words: string): string =>
  stream(`/Tx BMC ${text(words)} EMC`, '/Type /XObject /Subtype /Form /BBox [0 0 200 20]')

/** The text field for the amount, with another value, picture or further entries. */
export const amountField = (value: string, pictureNum: number = contract.amountPicture, more = ''): string =>
  `<< /Type /Annot /Subtype /Widget /FT /Tx /T (amount) /V (${value}) /Rect [72 500 272 520] /F 4 /P 4 0 R /AP << /N ${pictureNum} 0 R >> ${more} >>`

/** The first page with other entries for its content. */
export const firstPage = (entries = '/Contents [5 0 R]'): string =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> /XObject << /Over 20 0 R >> >> ${entries} /Annots [101 0 R 102 0 R 103 0 R] >>`

/** Bytes inside a stream of the signed file that become an object if a cross-reference points to them. */
export const HIDDEN_TWIN = `5 0 obj\n${stream(text('Pay 999,999'))}\nendobj\n`

/** A contract with everything that later revisions may try to change: pages, font, overlay, layers, form, comment. */
export function contractPdf(options: SampleOptions = {}): Buffer {
  return tablePdf({
    pages: 2,
    ...options,
    catalog: `/AcroForm 100 0 R /OCProperties 110 0 R /Metadata 116 0 R ${options.catalog ?? ''}`,
    trailer: '/Info 115 0 R',
    extra: {
      4: firstPage(),
      5: stream(`${text('Pay 100')} /Over Do`),
      20: stream('1 g 72 560 200 30 re f', '/Type /XObject /Subtype /Form /BBox [0 0 612 792]'),
      100: '<< /Fields [101 0 R 102 0 R 104 0 R 112 0 R] /DR << /Font << /Helv 3 0 R >> >> /DA (/Helv 12 Tf 0 g) >>',
      101: amountField('100'),
      102: '<< /Type /Annot /Subtype /Widget /FT /Btn /T (agreed) /V /Off /AS /Off /Rect [72 450 92 470] /F 4 /P 4 0 R /AP << /N << /Yes 106 0 R /Off 107 0 R >> >> >>',
      103: '<< /Type /Annot /Subtype /Text /Rect [300 700 320 720] /Contents (please read) /P 4 0 R >>',
      104: '<< /T (party) /Kids [108 0 R] >>',
      105: picture('100'),
      106: picture('X'),
      107: picture(' '),
      108: '<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /Parent 104 0 R /V (Ana) /Rect [0 0 0 0] >>',
      110: '<< /OCGs [111 0 R] /D << /ON [111 0 R] /Order [111 0 R] >> >>',
      111: '<< /Type /OCG /Name (clauses) >>',
      112: '<< /Type /Annot /Subtype /Widget /FT /Sig /T (second party) /Rect [300 50 500 110] /P 4 0 R >>',
      115: '<< /Title (Contract) >>',
      116: stream('<x:xmpmeta/>', '/Type /Metadata /Subtype /XML'),
      120: '<< /Type /Catalog /Pages 121 0 R >>',
      121: '<< /Type /Pages /Kids [122 0 R] /Count 1 >>',
      122: '<< /Type /Page /Parent 121 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents 123 0 R >>',
      123: stream(text('Pay 999,999')),
      130: stream(HIDDEN_TWIN),
      ...options.extra,
    },
  })
}

export const STRUCTURE_ELEMENT = '<< /Type /StructElem /S /P /P 141 0 R /ActualText (Pay 100) /K 0 >>'

/** The contract with a logical structure: 141 is its root, 142 an element, 143 the tree that leads back to elements. */
export const taggedContract = (): Buffer =>
  contractPdf({
    catalog: '/StructTreeRoot 141 0 R /MarkInfo << /Marked true >>',
    extra: {
      141: '<< /Type /StructTreeRoot /K [142 0 R] /ParentTree 143 0 R /ParentTreeNextKey 1 >>',
      142: STRUCTURE_ELEMENT,
      143: '<< /Nums [0 [142 0 R]] >>',
    },
  })
