import { createHash } from 'node:crypto'
import { type BuiltPayment, buildRemittance, exampleBarcodes, remittanceRecords } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import { FINDINGS_LISTED, FINDINGS_PER_CODE } from './findings.ts'
import { looksLikeCnab240 } from './looks-like-cnab240.ts'
import { readRemittance } from './read-remittance.ts'
import type { AcceptedRemittance, RefusedRemittance } from './remittance.ts'
import { fileOf, withColumns } from './test-support/bend.ts'
import { PAYMENTS_KEPT } from './walk-records.ts'

const CPF = '52998224725'
const CNPJ = '12345678000195'
const ALPHANUMERIC_CNPJ = '12ABC34501DE35'

// Records: 1 file header, 2 batch header, 3 A, 4 B, 5 A, 6 B, 7 batch trailer, 8 file trailer.
const twoTransfers = [
  { amountCentavos: 123_456, payeeId: CPF, paymentDate: '2030-01-20', ownNumber: 'NF 10' },
  { amountCentavos: 1_000, payeeId: CNPJ, paymentDate: '2030-01-18' },
] as const satisfies readonly BuiltPayment[]
const transferRecords = remittanceRecords({ payments: twoTransfers })

// Records: 1 file header, 2 batch header, 3 J, 4 J-52, 5 batch trailer, 6 file trailer.
const slipRecords = remittanceRecords({ payments: [{ segment: 'J', amountCentavos: 5_000, payeeId: CNPJ }] })

function accepted(bytes: Uint8Array, options?: Parameters<typeof readRemittance>[1]): AcceptedRemittance {
  const reading = readRemittance(bytes, options)
  if (!reading.ok) throw new Error(JSON.stringify(reading.violations))
  return reading
}

function refused(bytes: Uint8Array, options?: Parameters<typeof readRemittance>[1]): RefusedRemittance {
  const reading = readRemittance(bytes, options)
  if (reading.ok) throw new Error('The file was accepted.')
  return reading
}

const where = ({ violations }: RefusedRemittance) =>
  violations.map(({ code, record, columns }) => [code, record, columns])
const codes = (findings: readonly { code: string }[]) => findings.map(({ code }) => code)
const bent = (record: number, column: number, text: string) =>
  fileOf(withColumns(transferRecords, record, column, text))

describe('a compliant remittance', () => {
  test('is summed up in integer centavos with its dates, payer and the hash of its exact bytes', () => {
    const bytes = buildRemittance({ payments: twoTransfers, fileSequence: 42 })
    expect(accepted(bytes).summary).toEqual({
      totalCentavos: 124_456,
      totalFormatted: 'R$ 1.244,56',
      paymentCount: 2,
      cancellationCount: 0,
      earliestPaymentDate: '2030-01-18',
      latestPaymentDate: '2030-01-20',
      contentSha256: createHash('sha256').update(bytes).digest('hex'),
      bankCode: '001',
      bankName: 'Banco do Brasil',
      payerName: 'EMPRESA DE EXEMPLO LTDA',
      payerId: '11222333000181',
      fileSequence: 42,
      batches: 1,
      largestCentavos: 123_456,
    })
    expect(accepted(bytes).warnings).toEqual([])
  })

  test('lists each payment with its payee, account and form of entry', () => {
    expect(accepted(buildRemittance({ payments: twoTransfers })).payments[0]).toEqual({
      record: 3,
      batch: 1,
      segment: 'A',
      movement: 'inclusion',
      amountCentavos: 123_456,
      paymentDate: '2030-01-20',
      dueDate: null,
      payeeName: 'FORNECEDOR DE EXEMPLO',
      payeeId: CPF,
      payeeBank: '237',
      payeeBranch: '01234-5',
      payeeAccount: '000000067890-1',
      ownNumber: 'NF 10',
      barcode: null,
      form: { code: '41', name: 'TED transfer, other holder' },
    })
  })

  test.each([
    ['crlf', true],
    ['crlf', false],
    ['lf', true],
    ['lf', false],
    ['none', false],
  ] as const)('may end its records with %s (after the last one: %s)', (ending, endingAfterLast) => {
    expect(accepted(buildRemittance({ payments: twoTransfers, ending, endingAfterLast })).warnings).toEqual([])
  })

  test.each(['\x1a', '\x1a\r\n'])('may end with the DOS end-of-file mark %j', (mark) => {
    const file = Buffer.concat([buildRemittance({ payments: twoTransfers }), Buffer.from(mark)])
    expect(accepted(file).summary.paymentCount).toBe(2)
  })

  test('may hold several batches of different segments', () => {
    const { summary, payments } = accepted(
      buildRemittance({
        payments: [
          { amountCentavos: 1 },
          { segment: 'J', amountCentavos: 20 },
          { segment: 'O', amountCentavos: 300 },
          { segment: 'N', amountCentavos: 4_000 },
        ],
      }),
    )
    expect(summary).toMatchObject({ totalCentavos: 4_321, batches: 4, largestCentavos: 4_000 })
    expect(payments.map(({ batch }) => batch)).toEqual([1, 2, 3, 4])
  })

  test('may carry the optional initial and final records of a batch, counted by the file trailer or not', () => {
    const [header, batchHeader, ...rest] = transferRecords as [string, string, ...string[]]
    const optional = (type: string) => batchHeader.slice(0, 7) + type + batchHeader.slice(8)
    const records = [header, batchHeader, optional('2'), ...rest.slice(0, 4), optional('4'), ...rest.slice(4)]
    const counted = withColumns(records, 9, 18, '000008')
    expect(accepted(fileOf(withColumns(counted, 10, 24, '000010'))).summary.paymentCount).toBe(2)
    expect(accepted(fileOf(withColumns(counted, 10, 24, '000008'))).summary.paymentCount).toBe(2)
    expect(codes(refused(fileOf(withColumns(counted, 10, 24, '000009'))).violations)).toEqual(['file-record-count'])
  })

  test('of a bank without a layout on record is read with the FEBRABAN columns and a warning', () => {
    const { summary, warnings } = accepted(buildRemittance({ bank: '756', payments: twoTransfers }))
    expect(summary).toMatchObject({ bankCode: '756', bankName: null, totalCentavos: 124_456 })
    expect(codes(warnings)).toEqual(['bank-unknown'])
  })
})

describe('exclusions', () => {
  const file = buildRemittance({
    payments: [
      { amountCentavos: 500, paymentDate: '2030-02-01' },
      { amountCentavos: 99_999, paymentDate: '2020-01-01', movement: '9' },
    ],
  })

  test('are counted and never netted', () => {
    const { summary, payments } = accepted(file)
    expect(summary).toMatchObject({ totalCentavos: 500, paymentCount: 1, cancellationCount: 1, largestCentavos: 500 })
    expect(payments.map(({ movement }) => movement)).toEqual(['inclusion', 'exclusion'])
  })

  test('do not move the earliest payment date', () => {
    expect(accepted(file).summary).toMatchObject({ earliestPaymentDate: '2030-02-01', latestPaymentDate: '2030-02-01' })
  })

  test('written as an instruction against the movement type are warned about and counted as payments', () => {
    const { warnings, summary } = accepted(bent(3, 16, '99'))
    expect(codes(warnings)).toEqual(['instruction-contradicts-movement'])
    expect(summary.paymentCount).toBe(2)
  })
})

describe('framing', () => {
  test('an empty file is refused', () => {
    for (const bytes of ['', '\r\n', '\x1a']) {
      expect(codes(refused(Buffer.from(bytes)).violations)).toEqual(['file-empty'])
    }
  })

  test('a record of 239 bytes is refused by its number and length', () => {
    const records = [...transferRecords]
    records[4] = records[4]!.slice(0, 239)
    const { violations, code } = refused(fileOf(records))
    expect(code).toBe('cnab240.invalid')
    expect(violations).toEqual([
      {
        record: 5,
        columns: null,
        code: 'record-length',
        message: 'A record must have exactly 240 bytes; this one has 239.',
        facts: { found: 239 },
      },
    ])
  })

  test('a missing byte without line endings is traced to its record', () => {
    const file = buildRemittance({ payments: twoTransfers, ending: 'none' })
    const short = Buffer.concat([file.subarray(0, 4 * 240 + 100), file.subarray(4 * 240 + 101)])
    expect(where(refused(short))).toEqual([['file-not-whole-records', 5, null]])
  })

  test('a blank line is a record of no bytes; at the end it is told and the file read', () => {
    const [first, ...others] = transferRecords
    expect(where(refused(fileOf([first!, '', ...others])))).toEqual([['record-length', 2, null]])
    const { warnings } = accepted(fileOf([...transferRecords, '', '']))
    expect(warnings.map(({ code, facts }) => [code, facts.found])).toEqual([['blank-lines-at-end', 2]])
    expect(where(refused(fileOf([...transferRecords, ...Array(12).fill('')])))).toEqual([
      ['record-length', 9, null],
      ['record-length', 10, null],
    ])
  })

  test('a file in UTF-16 or EBCDIC is told as such', () => {
    const text = transferRecords.join('\r\n')
    expect(where(refused(Buffer.from(text, 'utf16le')))).toEqual([['file-utf16', 1, null]])
    expect(where(refused(Buffer.from(`\uFEFF${text}`, 'utf16le')))).toEqual([['file-utf16', 1, null]])
    expect(where(refused(Buffer.from(text, 'utf16le').swap16()))).toEqual([['file-utf16', 1, null]])
    expect(where(refused(ebcdic(text)))).toEqual([['file-ebcdic', 1, null]])
  })

  test('an accented letter in UTF-8 is named as the reason for 241 bytes', () => {
    const name = 'CONSTRUÇÃO'.padEnd(30)
    const file = Buffer.from(withColumns(transferRecords, 3, 44, name).join('\r\n'), 'utf8')
    const { violations } = refused(file)
    expect(violations[0]).toMatchObject({
      code: 'record-length-utf8',
      record: 3,
      facts: { found: 242, letters: 2, at: 51 },
    })
  })

  test('the same letter in Latin-1 is one byte and raises nothing', () => {
    const { payments, warnings } = accepted(bent(3, 44, 'CONSTRUÇÃO Nº 1'.padEnd(30)))
    expect(payments[0]?.payeeName).toBe('CONSTRUÇÃO Nº 1')
    expect(warnings).toEqual([])
  })

  test('a letter in UTF-8 inside a record of the right length is a warning', () => {
    const { warnings } = accepted(bent(3, 44, Buffer.from('CONSTRUÇ', 'utf8').toString('latin1').padEnd(30)))
    expect(warnings.map(({ code, columns }) => [code, columns])).toEqual([['letter-in-utf8', '51']])
  })

  test('a UTF-8 byte order mark is explained', () => {
    const file = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), buildRemittance({ payments: twoTransfers })])
    expect(where(refused(file))).toEqual([['byte-order-mark', 1, '1-3']])
  })

  test('mixed line endings are a warning', () => {
    const [first, ...rest] = transferRecords
    const { warnings } = accepted(Buffer.from(`${first}\n${rest.join('\r\n')}`, 'latin1'))
    expect(warnings.map(({ code, facts }) => [code, facts])).toEqual([['line-endings-mixed', { crlf: 6, lf: 1 }]])
  })

  test('records that end with a lone carriage return are refused', () => {
    expect(codes(refused(fileOf(transferRecords, '\r')).violations)).toEqual(['carriage-return-only'])
  })

  test('a NUL byte is refused where it stands', () => {
    expect(where(refused(bent(3, 50, '\0')))).toEqual([['nul-byte', 3, '50']])
  })

  test('other control characters and bytes that are no letters are warnings, and never reach a name', () => {
    const { warnings, payments } = accepted(bent(3, 44, 'A\x1b[31mB×'))
    expect(codes(warnings)).toEqual(['control-character', 'byte-not-a-letter'])
    expect(payments[0]?.payeeName).toMatch(/^A \[31mB×/)
  })

  test('a control character in a refused field is quoted as a question mark', () => {
    const { violations } = refused(bent(3, 120, '\x1b[2J'))
    expect(violations[0]?.facts).toMatchObject({ found: '?[2J00000123456' })
  })

  test('a CNAB400 file is named as such', () => {
    expect(codes(refused(fileOf(['0'.repeat(400), '9'.repeat(400)])).violations)).toEqual([
      'record-length-cnab400',
      'record-length-cnab400',
    ])
  })
})

describe('the order of the records', () => {
  const without = (record: number) => transferRecords.filter((_, index) => index !== record - 1)

  test('the first record is the file header', () => {
    expect(where(refused(fileOf(without(1))))).toContainEqual(['file-header-missing', 1, '8'])
  })

  test('the last record is the file trailer', () => {
    expect(where(refused(fileOf(without(8))))).toEqual([['file-trailer-missing', 7, '8']])
  })

  test('a batch opens with its header and closes with its trailer', () => {
    expect(where(refused(fileOf(without(2))))).toContainEqual(['record-out-of-order', 2, '8'])
    expect(where(refused(fileOf(without(7))))).toContainEqual(['record-out-of-order', 7, '8'])
  })

  test('a file without a batch is refused', () => {
    const file = withColumns([transferRecords[0]!, transferRecords[7]!], 2, 18, '000000000002')
    expect(where(refused(fileOf(file)))).toEqual([['record-out-of-order', 2, '8']])
  })

  test('nothing follows the file trailer', () => {
    expect(where(refused(fileOf([...transferRecords, transferRecords[7]!])))).toContainEqual([
      'record-after-trailer',
      9,
      '8',
    ])
  })

  test('an unknown record type is refused', () => {
    expect(where(refused(bent(3, 8, '7')))).toContainEqual(['record-type-unknown', 3, '8'])
  })

  test('the file header is batch 0000 and the file trailer batch 9999', () => {
    expect(where(refused(bent(1, 4, '0001')))).toEqual([['control-batch-number', 1, '4-7']])
    expect(where(refused(bent(8, 4, '0001')))).toEqual([['control-batch-number', 8, '4-7']])
  })
})

describe('the bank', () => {
  test('is the same on every record', () => {
    expect(where(refused(bent(4, 1, '237')))).toEqual([['bank-code-differs', 4, '1-3']])
  })

  test('is three digits', () => {
    const file = fileOf(transferRecords.map((record) => `BB1${record.slice(3)}`))
    expect(where(refused(file))).toEqual([['bank-code-not-digits', 1, '1-3']])
  })

  test('must be one the profile allows', () => {
    const file = buildRemittance({ bank: '237', payments: twoTransfers })
    expect(accepted(file, { banks: ['001', '237'] }).summary.bankName).toBe('Bradesco')
    expect(where(refused(file, { banks: ['001'] }))).toEqual([['bank-not-allowed', 1, '1-3']])
  })
})

describe('the direction', () => {
  test('a return file is refused by name, and for that reason alone', () => {
    const reading = refused(fileOf(withColumns(withColumns(transferRecords, 1, 143, '2'), 3, 15, '3')))
    expect(where(reading)).toEqual([['return-file', 1, '143']])
    expect(reading.violations[0]?.message).toContain('return file')
  })

  test('any other code is refused', () => {
    expect(where(refused(bent(1, 143, ' ')))).toEqual([['direction-unknown', 1, '143']])
  })
})

describe('numbering and counts', () => {
  test('batches are numbered from 0001 without a gap', () => {
    const records = transferRecords.map((record, index) =>
      index > 0 && index < 7 ? `${record.slice(0, 3)}0002${record.slice(7)}` : record,
    )
    expect(where(refused(fileOf(records)))).toContainEqual(['batch-number-wrong', 2, '4-7'])
  })

  test('every record of a batch carries its number', () => {
    expect(where(refused(bent(4, 4, '0002')))).toEqual([['batch-number-differs', 4, '4-7']])
    expect(where(refused(bent(7, 4, '0002')))).toEqual([['batch-number-differs', 7, '4-7']])
  })

  test('the sequence restarts at 1 in each batch and one wrong number accuses one record', () => {
    const twoBatches = remittanceRecords({ payments: [...twoTransfers, { segment: 'O', amountCentavos: 7 }] })
    expect(accepted(fileOf(twoBatches)).summary.batches).toBe(2)
    expect(where(refused(bent(3, 9, '00002')))).toEqual([
      ['sequence-wrong', 3, '9-13'],
      ['sequence-wrong', 4, '9-13'],
    ])
    expect(where(refused(bent(6, 9, '00005')))).toEqual([['sequence-wrong', 6, '9-13']])
  })

  test.each([
    ['batch-record-count', 7, 18, '000005', '18-23'],
    ['file-batch-count', 8, 18, '000002', '18-23'],
    ['file-record-count', 8, 24, '000007', '24-29'],
    ['file-record-count', 8, 24, '      ', '24-29'],
  ] as const)('a wrong %s is refused with the right number', (code, record, column, text, columns) => {
    const reading = refused(bent(record, column, text))
    expect(where(reading)).toEqual([[code, record, columns]])
    expect(reading.violations[0]?.facts).toMatchObject({ found: text })
    expect(reading.violations[0]?.message).toContain(String(reading.violations[0]?.facts.expected))
  })

  test('a batch sum that disagrees is a warning, because banks themselves accept it', () => {
    const { warnings, summary } = accepted(bent(7, 24, '000000000000000010'))
    expect(codes(warnings)).toEqual(['batch-sum-differs'])
    expect(summary.totalCentavos).toBe(124_456)
  })

  test('a batch sum of the inclusions alone agrees too', () => {
    const records = remittanceRecords({ payments: [{ amountCentavos: 5 }, { amountCentavos: 7, movement: '9' }] })
    expect(accepted(fileOf(records)).warnings).toEqual([])
    expect(accepted(fileOf(withColumns(records, 7, 24, '000000000000000005'))).warnings).toEqual([])
  })
})

describe('segments, movements and amounts', () => {
  test('an unknown segment is refused', () => {
    expect(where(refused(bent(4, 14, 'X')))).toEqual([['segment-unknown', 4, '14']])
  })

  test('a collection segment is refused as what it is', () => {
    expect(where(refused(bent(4, 14, 'P')))).toEqual([['segment-of-collection', 4, '14']])
  })

  test.each(['C', 'W', 'Z'])('segment %s completes a payment and carries no money', (segment) => {
    expect(accepted(bent(6, 14, segment)).summary.totalCentavos).toBe(124_456)
  })

  test.each(['1', '3', '5', '7', ' '])('movement type %j is refused on a payment', (movement) => {
    expect(where(refused(bent(3, 15, movement)))).toEqual([['movement-not-allowed', 3, '15']])
  })

  test.each(['               ', '00000000001234,', '-00000000012345'])('the amount %j is refused', (amount) => {
    const reading = refused(bent(3, 120, amount))
    expect(where(reading)).toEqual([['amount-not-digits', 3, '120-134']])
    expect(reading.violations[0]?.facts).toEqual({ expected: 15, found: amount })
  })

  test('amounts of completing segments are never added', () => {
    expect(accepted(bent(4, 136, '999999999999999')).summary.totalCentavos).toBe(124_456)
  })

  test('a total beyond a safe integer is refused, not rounded', () => {
    const payments = Array.from({ length: 10 }, () => ({ amountCentavos: 999_999_999_999_999 }))
    expect(codes(refused(buildRemittance({ payments })).violations)).toEqual(['total-too-large'])
    expect(accepted(buildRemittance({ payments: payments.slice(1) })).summary.totalCentavos).toBe(8_999_999_999_999_991)
  })

  test('a file without payments is accepted with a warning', () => {
    const { warnings, summary } = accepted(buildRemittance({ payments: [{ amountCentavos: 5, movement: '9' }] }))
    expect(codes(warnings)).toEqual(['no-payments'])
    expect(summary).toMatchObject({ totalCentavos: 0, totalFormatted: 'R$ 0,00', earliestPaymentDate: null })
  })
})

describe('payment dates', () => {
  test.each(['31022030', '00012030', '01130000', '2030-1-1', '29022023'])('%s is no date: a warning', (text) => {
    const { warnings, payments } = accepted(bent(3, 94, text))
    expect(codes(warnings)).toEqual(['payment-date-unreadable'])
    expect(payments[0]?.paymentDate).toBeNull()
  })

  test('the 29th of February exists in leap years', () => {
    expect(accepted(bent(3, 94, '29022032')).summary.latestPaymentDate).toBe('2032-02-29')
  })

  test.each(['00000000', '        '])('%j means that there is none', (text) => {
    const { warnings, summary } = accepted(bent(3, 94, text))
    expect(codes(warnings)).toEqual(['payment-date-missing'])
    expect(summary.earliestPaymentDate).toBe('2030-01-18')
  })
})

describe('payees', () => {
  test('segment B right after segment A names the payee, once', () => {
    const [a, b] = [transferRecords[2]!, transferRecords[3]!]
    const secondB = b.replace('00002B', '00003B').replace(CPF, '11144477735')
    const records = [...transferRecords.slice(0, 2), a, b, secondB, transferRecords[6]!, transferRecords[7]!]
    const counted = withColumns(withColumns(records, 6, 18, '000005'), 7, 24, '000007')
    expect(accepted(fileOf(counted)).payments[0]?.payeeId).toBe(CPF)
  })

  test('segment B that does not follow directly is ignored', () => {
    const records = withColumns(transferRecords, 4, 14, 'C')
    expect(accepted(fileOf(records)).payments.map(({ payeeId }) => payeeId)).toEqual([null, CNPJ])
  })

  test('segment B after segment J is ignored', () => {
    const b = transferRecords[3]!
    const records = [...slipRecords.slice(0, 3), b, ...slipRecords.slice(4)]
    expect(accepted(fileOf(records)).payments[0]).toMatchObject({ segment: 'J', payeeId: null })
  })

  test('segment B gives the due date, except for Pix, whose key stands there', () => {
    const payment = { amountCentavos: 1, dueDate: '2030-03-04' } as const
    expect(accepted(buildRemittance({ payments: [payment] })).payments[0]?.dueDate).toBe('2030-03-04')
    expect(accepted(buildRemittance({ payments: [{ ...payment, form: '45' }] })).payments[0]?.dueDate).toBeNull()
  })

  test('segment N inverts the identifier codes: 1 is a CNPJ, 2 a CPF', () => {
    const tax = (payeeId: string) => remittanceRecords({ payments: [{ segment: 'N', amountCentavos: 1, payeeId }] })
    const [cpf, cnpj] = [tax(CPF), tax(CNPJ)]
    expect(cpf[2]?.slice(116, 118)).toBe('02')
    expect(cnpj[2]?.slice(116, 118)).toBe('01')
    expect(accepted(fileOf(cpf)).payments[0]?.payeeId).toBe(CPF)
    expect(accepted(fileOf(cnpj)).payments[0]?.payeeId).toBe(CNPJ)
    expect(codes(accepted(fileOf(withColumns(cpf, 3, 117, '01'))).warnings)).toEqual(['payee-id-check-digits'])
  })

  test('other kinds of identifier are hidden', () => {
    expect(accepted(bent(4, 18, '3')).payments[0]?.payeeId).toBeNull()
    expect(accepted(bent(4, 18, '9')).warnings).toEqual([])
  })

  test('an alphanumeric CNPJ is read', () => {
    const file = buildRemittance({ payments: [{ amountCentavos: 1, payeeId: ALPHANUMERIC_CNPJ }] })
    expect(accepted(file).payments[0]?.payeeId).toBe(ALPHANUMERIC_CNPJ)
  })

  test('wrong check digits are a warning', () => {
    const { warnings, payments } = accepted(bent(4, 32, '9'))
    expect(warnings.map(({ code, record, columns }) => [code, record, columns])).toEqual([
      ['payee-id-check-digits', 4, '19-32'],
    ])
    expect(payments[0]?.payeeId).toBe('52998224729')
    expect(codes(accepted(bent(1, 32, '9')).warnings)).toEqual(['payer-id-check-digits'])
  })

  test('J-52 names the payee of a slip', () => {
    const file = buildRemittance({
      payments: [
        { segment: 'J', amountCentavos: 1, payeeId: CNPJ, payeeName: 'PADARIA DO BAIRRO COM NOME BEM COMPRIDO' },
      ],
    })
    expect(accepted(file).payments[0]).toMatchObject({
      payeeId: CNPJ,
      payeeName: 'PADARIA DO BAIRRO COM NOME BEM COMPRIDO',
      payeeBank: '341',
    })
  })

  test('J-52 is not believed when its check digits disprove the columns', () => {
    const { payments, warnings } = accepted(fileOf(withColumns(slipRecords, 4, 91, '0')))
    expect(payments[0]?.payeeId).toBeNull()
    expect(codes(warnings)).toEqual(['slip-parties-unreadable'])
  })

  test('J-52 without its segment J is ignored with a warning', () => {
    const complement = withColumns(transferRecords, 4, 14, 'J   52')
    expect(codes(accepted(fileOf(complement)).warnings)).toEqual(['slip-parties-alone'])
  })

  test('a slip of a bank numbered 52x is a payment, not a J-52', () => {
    const records = withColumns(slipRecords, 3, 18, '52')
    expect(accepted(fileOf(records)).summary).toMatchObject({ paymentCount: 1, totalCentavos: 5_000 })
  })
})

describe('warnings that never refuse', () => {
  test('wrong barcode check digits', () => {
    const payments: BuiltPayment[] = [
      { segment: 'J', amountCentavos: 1, barcode: exampleBarcodes.slip.replace(/^34196/, '34197') },
      { segment: 'O', amountCentavos: 1, barcode: exampleBarcodes.utility.replace(/^8461/, '8462') },
    ]
    expect(codes(accepted(buildRemittance({ payments })).warnings)).toEqual([
      'barcode-check-digit',
      'barcode-check-digit',
    ])
  })

  test('unknown service and form codes', () => {
    const file = buildRemittance({ payments: [{ amountCentavos: 1, service: '99', form: '88' }] })
    const { warnings, payments } = accepted(file)
    expect(codes(warnings)).toEqual(['service-unknown', 'form-unknown'])
    expect(payments[0]?.form).toEqual({ code: '88', name: null })
  })

  test('segments of different kinds in one batch', () => {
    const o = remittanceRecords({ payments: [{ segment: 'O', amountCentavos: 1_000 }] })[2]!.replace(
      '300001O',
      '300003O',
    )
    const records = [...transferRecords.slice(0, 4), o, ...transferRecords.slice(6)]
    const counted = withColumns(withColumns(records, 6, 18, '000005'), 7, 24, '000007')
    expect(codes(accepted(fileOf(counted)).warnings)).toEqual(['segments-mixed'])
  })

  test('Pix beside other forms, at a bank that wants it alone', () => {
    const payments = [{ amountCentavos: 1 }, { amountCentavos: 1, form: '45' }]
    expect(codes(accepted(buildRemittance({ bank: '341', payments }), { bankRules: 'Warn' }).warnings)).toEqual([
      'pix-mixed',
    ])
    expect(accepted(buildRemittance({ bank: '001', payments })).warnings).toEqual([])
  })
})

describe('bounds', () => {
  test('a long list of violations is cut and says so, and one kind does not hide another', () => {
    const payments = Array.from({ length: 60 }, () => ({ amountCentavos: 1 }))
    const records = remittanceRecords({ payments }).map((record) =>
      record[13] === 'A' ? `${record.slice(0, 119)}${' '.repeat(15)}${record.slice(134)}` : record,
    )
    const reading = refused(fileOf(withColumns(records, records.length, 18, '000009')))
    expect(codes(reading.violations).filter((code) => code === 'amount-not-digits')).toHaveLength(FINDINGS_PER_CODE)
    expect(codes(reading.violations)).toContain('file-batch-count')
    expect(reading).toMatchObject({ cut: true, violationCount: 61 })
  })

  test('payments beyond the limit are counted and summed, and the list says that it is cut', () => {
    const payments = Array.from({ length: PAYMENTS_KEPT + 1 }, () => ({ segment: 'J', amountCentavos: 3 }) as const)
    const reading = accepted(buildRemittance({ payments }))
    expect(reading.payments).toHaveLength(PAYMENTS_KEPT)
    expect(reading.paymentsCut).toBe(true)
    expect(codes(reading.warnings)).toEqual(['payments-unlisted'])
    expect(reading.summary).toMatchObject({ paymentCount: PAYMENTS_KEPT + 1, totalCentavos: 3 * (PAYMENTS_KEPT + 1) })
  })

  test('a large file that is no remittance is given up early', () => {
    const reading = refused(Buffer.alloc(20_000_000, '\n'))
    expect(reading.cut).toBe(true)
    expect(reading.violations.length).toBeLessThanOrEqual(FINDINGS_LISTED)
    expect(reading.violationCount).toBeLessThanOrEqual(1_000)
  })

  test('bytes that are part of a larger buffer are read where they lie', () => {
    const file = buildRemittance({ payments: twoTransfers })
    const around = Buffer.concat([Buffer.alloc(13, 'x'), file, Buffer.alloc(13, 'x')])
    expect(accepted(new Uint8Array(around.buffer, around.byteOffset + 13, file.length)).summary).toEqual(
      accepted(file).summary,
    )
  })
})

describe('looking like a remittance', () => {
  test('takes the first record only', () => {
    for (const ending of ['crlf', 'lf', 'none'] as const) {
      expect(looksLikeCnab240(buildRemittance({ payments: twoTransfers, ending }))).toBe(true)
    }
    expect(looksLikeCnab240(fileOf(transferRecords.slice(1)))).toBe(false)
    expect(looksLikeCnab240(Buffer.from('%PDF-1.7'.padEnd(500)))).toBe(false)
    expect(looksLikeCnab240(Buffer.alloc(0))).toBe(false)
    expect(looksLikeCnab240(fileOf([`${transferRecords[0]} `]))).toBe(false)
  })
})

/** Digits, capitals and blanks as IBM code page 037 writes them, with its line ending NEL. */
function ebcdic(text: string): Buffer {
  const capital = (letter: number) => letter + (letter < 9 ? 0xc1 : letter < 18 ? 0xd1 - 9 : 0xe2 - 18)
  const codes = [...text.replaceAll('\r\n', '\n')].map((character) => {
    if (character === '\n') return 0x15
    if (/\d/.test(character)) return 0xf0 + Number(character)
    return /[A-Z]/.test(character) ? capital(character.charCodeAt(0) - 65) : 0x40
  })
  return Buffer.from(codes)
}
