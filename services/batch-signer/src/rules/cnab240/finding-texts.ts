// Every thing a remittance can be told off for. Codes are stable: they are stored with jobs and asserted by tests.
// `{name}` is filled from the finding's facts. A violation refuses the file; a warning never does; what a rule of a bank
// does is a setting.

import type { ReportLocale } from './entry-codes.ts'

interface FindingText extends Readonly<Record<ReportLocale, string>> {
  readonly severity: 'violation' | 'warning' | 'bank-rule'
}

/** Code → severity and one sentence per language. */
export const findingTexts = {
  'file-empty': {
    severity: 'violation',
    'en-US': 'The file is empty; a remittance has at least a header, one batch and a trailer.',
    'pt-BR': 'O arquivo está vazio; uma remessa tem ao menos cabeçalho, um lote e trailer.',
  },
  'byte-order-mark': {
    severity: 'violation',
    'en-US':
      'The file starts with a UTF-8 byte order mark, three bytes that shift every column of the first record; save it as ISO-8859-1 (ANSI) without the mark.',
    'pt-BR':
      'O arquivo começa com uma marca de ordem de bytes UTF-8, três bytes que deslocam todas as colunas do primeiro registro; salve-o em ISO-8859-1 (ANSI), sem a marca.',
  },
  'file-utf16': {
    severity: 'violation',
    'en-US': 'The file is written in UTF-16, with two bytes a character; save it as ISO-8859-1 (ANSI).',
    'pt-BR': 'O arquivo está em UTF-16, com dois bytes por caractere; salve-o em ISO-8859-1 (ANSI).',
  },
  'file-ebcdic': {
    severity: 'violation',
    'en-US':
      'The file is written in EBCDIC, the code of mainframes; have the transfer convert it to ISO-8859-1 (text, not binary).',
    'pt-BR':
      'O arquivo está em EBCDIC, o código dos mainframes; faça a transferência convertê-lo para ISO-8859-1 (texto, não binário).',
  },
  'record-length': {
    severity: 'violation',
    'en-US': 'A record must have exactly 240 bytes; this one has {found}.',
    'pt-BR': 'Um registro deve ter exatamente 240 bytes; este tem {found}.',
  },
  'record-length-utf8': {
    severity: 'violation',
    'en-US':
      'A record must have exactly 240 bytes; this one has {found}, because {letters} accented letter(s), the first at byte {at}, are written in UTF-8 with more than one byte and shift the columns after them; save the file as ISO-8859-1 (ANSI).',
    'pt-BR':
      'Um registro deve ter exatamente 240 bytes; este tem {found}, porque {letters} letra(s) acentuada(s), a primeira no byte {at}, estão em UTF-8 com mais de um byte e deslocam as colunas seguintes; salve o arquivo em ISO-8859-1 (ANSI).',
  },
  'record-length-cnab400': {
    severity: 'violation',
    'en-US': 'A record must have exactly 240 bytes; this one has 400, which is the older CNAB400 layout.',
    'pt-BR': 'Um registro deve ter exatamente 240 bytes; este tem 400, que é o leiaute antigo CNAB400.',
  },
  'file-not-whole-records': {
    severity: 'violation',
    'en-US':
      'Without line endings the file must be a whole number of 240-byte records, but its {bytes} bytes leave {found} over; look for a missing or extra byte in record {suspect}.',
    'pt-BR':
      'Sem quebras de linha o arquivo deve ser um número inteiro de registros de 240 bytes, mas seus {bytes} bytes deixam sobra de {found}; procure um byte a mais ou a menos no registro {suspect}.',
  },
  'carriage-return-only': {
    severity: 'violation',
    'en-US': 'Records must end with CR LF, LF or nothing; this file ends them with a lone CR.',
    'pt-BR': 'Os registros devem terminar com CR LF, LF ou nada; este arquivo os termina só com CR.',
  },
  'nul-byte': {
    severity: 'violation',
    'en-US': 'The record contains a NUL byte; numbers are filled with zeros and texts with spaces.',
    'pt-BR': 'O registro contém um byte NUL; números são preenchidos com zeros e textos com espaços.',
  },
  'record-type-unknown': {
    severity: 'violation',
    'en-US': 'The record type must be 0, 1, 2, 3, 4, 5 or 9; found "{found}".',
    'pt-BR': 'O tipo de registro deve ser 0, 1, 2, 3, 4, 5 ou 9; encontrado "{found}".',
  },
  'file-header-missing': {
    severity: 'violation',
    'en-US': 'The first record must be the file header (type 0); the file starts with type "{found}".',
    'pt-BR': 'O primeiro registro deve ser o cabeçalho do arquivo (tipo 0); o arquivo começa com o tipo "{found}".',
  },
  'record-after-trailer': {
    severity: 'violation',
    'en-US': 'Nothing may follow the file trailer; found a record of type "{found}".',
    'pt-BR': 'Nada pode vir depois do trailer do arquivo; encontrado um registro do tipo "{found}".',
  },
  'record-out-of-order': {
    severity: 'violation',
    'en-US': 'A record of type {found} cannot stand here: after type {previous} the file expects {expected}.',
    'pt-BR': 'Um registro do tipo {found} não pode estar aqui: depois do tipo {previous} o arquivo espera {expected}.',
  },
  'file-trailer-missing': {
    severity: 'violation',
    'en-US': 'The last record must be the file trailer (type 9); the file ends with type {found}.',
    'pt-BR': 'O último registro deve ser o trailer do arquivo (tipo 9); o arquivo termina com o tipo {found}.',
  },
  'control-batch-number': {
    severity: 'violation',
    'en-US': 'The batch number of this record must be {expected}; found "{found}".',
    'pt-BR': 'O número do lote deste registro deve ser {expected}; encontrado "{found}".',
  },
  'bank-code-not-digits': {
    severity: 'violation',
    'en-US': 'The bank code must have three digits; found "{found}".',
    'pt-BR': 'O código do banco deve ter três dígitos; encontrado "{found}".',
  },
  'bank-code-differs': {
    severity: 'violation',
    'en-US': 'Every record must carry the bank code of the header, {expected}; found "{found}".',
    'pt-BR': 'Todo registro deve ter o código do banco do cabeçalho, {expected}; encontrado "{found}".',
  },
  'bank-not-allowed': {
    severity: 'violation',
    'en-US': 'The profile accepts remittances of bank {expected} only; this one is for bank {found}.',
    'pt-BR': 'O perfil aceita remessas apenas do banco {expected}; esta é do banco {found}.',
  },
  'return-file': {
    severity: 'violation',
    'en-US':
      'This is a return file (retorno, code 2), which the bank writes; only a remittance (code 1) can be signed.',
    'pt-BR': 'Este é um arquivo retorno (código 2), escrito pelo banco; só uma remessa (código 1) pode ser assinada.',
  },
  'direction-unknown': {
    severity: 'violation',
    'en-US': 'The remittance or return code must be 1 (remittance); found "{found}".',
    'pt-BR': 'O código remessa/retorno deve ser 1 (remessa); encontrado "{found}".',
  },
  'batch-number-wrong': {
    severity: 'violation',
    'en-US': 'Batches are numbered 0001, 0002 and so on; this one must be {expected}, found "{found}".',
    'pt-BR': 'Os lotes são numerados 0001, 0002 e assim por diante; este deve ser {expected}, encontrado "{found}".',
  },
  'batch-number-differs': {
    severity: 'violation',
    'en-US': 'The record lies in batch {expected} but says batch "{found}".',
    'pt-BR': 'O registro está no lote {expected}, mas diz lote "{found}".',
  },
  'sequence-wrong': {
    severity: 'violation',
    'en-US': 'The records of a batch are numbered from 00001; this one must be {expected}, found "{found}".',
    'pt-BR': 'Os registros de um lote são numerados a partir de 00001; este deve ser {expected}, encontrado "{found}".',
  },
  'batch-record-count': {
    severity: 'violation',
    'en-US': 'The batch trailer must count {expected} records, header and trailer included; it says "{found}".',
    'pt-BR': 'O trailer do lote deve contar {expected} registros, com cabeçalho e trailer; ele diz "{found}".',
  },
  'file-batch-count': {
    severity: 'violation',
    'en-US': 'The file trailer must count {expected} batch(es); it says "{found}".',
    'pt-BR': 'O trailer do arquivo deve contar {expected} lote(s); ele diz "{found}".',
  },
  'file-record-count': {
    severity: 'violation',
    'en-US': 'The file trailer must count {expected} records, header and trailer included; it says "{found}".',
    'pt-BR': 'O trailer do arquivo deve contar {expected} registros, com cabeçalho e trailer; ele diz "{found}".',
  },
  'segment-unknown': {
    severity: 'violation',
    'en-US': 'The segment must be a payment (A, J, N, O) or complete one ({expected}); found "{found}".',
    'pt-BR': 'O segmento deve ser um pagamento (A, J, N, O) ou completar um ({expected}); encontrado "{found}".',
  },
  'segment-of-collection': {
    severity: 'violation',
    'en-US':
      'Segment {found} belongs to collection files (cobrança), which ask for money; only payments can be signed.',
    'pt-BR': 'O segmento {found} é de arquivos de cobrança, que pedem dinheiro; só pagamentos podem ser assinados.',
  },
  'movement-not-allowed': {
    severity: 'violation',
    'en-US': 'The movement type of a payment must be 0 (inclusion) or 9 (exclusion); found "{found}".',
    'pt-BR': 'O tipo de movimento de um pagamento deve ser 0 (inclusão) ou 9 (exclusão); encontrado "{found}".',
  },
  'tax-code-unknown': {
    severity: 'violation',
    'en-US': 'The bank lays out a tax by its code, one of {expected}; with "{found}" the value cannot be read.',
    'pt-BR': 'O banco dispõe o tributo pelo código, um de {expected}; com "{found}" o valor não pode ser lido.',
  },
  'amount-not-digits': {
    severity: 'violation',
    'en-US': 'The amount must be {expected} digits, in centavos; found "{found}".',
    'pt-BR': 'O valor deve ter {expected} dígitos, em centavos; encontrado "{found}".',
  },
  'total-too-large': {
    severity: 'violation',
    'en-US': 'The payments add up to more than {expected} centavos, beyond anything a remittance can mean.',
    'pt-BR': 'Os pagamentos somam mais de {expected} centavos, além do que uma remessa pode significar.',
  },
  'payment-date-not-a-date': {
    severity: 'violation',
    'en-US': 'The payment date must be ddmmyyyy; "{found}" is not a date, so nobody can tell whether it has passed.',
    'pt-BR': 'A data de pagamento deve ser ddmmaaaa; "{found}" não é uma data, e não há como saber se já passou.',
  },
  'payment-date-absent': {
    severity: 'violation',
    'en-US': 'The payment carries no date, so nobody can tell whether it has passed.',
    'pt-BR': 'O pagamento não traz data, e não há como saber se já passou.',
  },
  'blank-lines-at-end': {
    severity: 'warning',
    'en-US': 'The file ends with {found} blank line(s); it is signed as it is, and a bank may refuse it.',
    'pt-BR': 'O arquivo termina com {found} linha(s) em branco; é assinado como está, e um banco pode recusá-lo.',
  },
  'line-endings-mixed': {
    severity: 'warning',
    'en-US': 'The file mixes line endings: {crlf} record(s) end with CR LF and {lf} with LF; banks expect one kind.',
    'pt-BR':
      'O arquivo mistura quebras de linha: {crlf} registro(s) com CR LF e {lf} com LF; os bancos esperam uma só.',
  },
  'letter-in-utf8': {
    severity: 'warning',
    'en-US':
      'The record has a letter written in UTF-8 with more than one byte; if the text was padded by characters, the columns after it are shifted. Banks expect ISO-8859-1.',
    'pt-BR':
      'O registro tem uma letra em UTF-8 com mais de um byte; se o texto foi completado por caracteres, as colunas seguintes estão deslocadas. Os bancos esperam ISO-8859-1.',
  },
  'byte-not-a-letter': {
    severity: 'warning',
    'en-US': 'The record has the byte 0x{found}, which is not a letter in ISO-8859-1.',
    'pt-BR': 'O registro tem o byte 0x{found}, que não é uma letra em ISO-8859-1.',
  },
  'control-character': {
    severity: 'warning',
    'en-US': 'The record has the control character 0x{found} where a printable one belongs.',
    'pt-BR': 'O registro tem o caractere de controle 0x{found} no lugar de um imprimível.',
  },
  'bank-unknown': {
    severity: 'warning',
    'en-US': 'No layout is on record for bank {found}; the file was read with the FEBRABAN columns.',
    'pt-BR': 'Não há leiaute registrado para o banco {found}; o arquivo foi lido com as colunas da FEBRABAN.',
  },
  'payer-id-check-digits': {
    severity: 'warning',
    'en-US': 'The check digits of the payer’s {kind} {found} are wrong.',
    'pt-BR': 'Os dígitos verificadores do {kind} do pagador, {found}, estão errados.',
  },
  'payee-id-check-digits': {
    severity: 'warning',
    'en-US': 'The check digits of the {kind} {found} are wrong.',
    'pt-BR': 'Os dígitos verificadores do {kind} {found} estão errados.',
  },
  'batch-sum-differs': {
    severity: 'warning',
    'en-US': 'The batch trailer sums {found} centavos but its payments add up to {expected}.',
    'pt-BR': 'O trailer do lote soma {found} centavos, mas seus pagamentos somam {expected}.',
  },
  'service-unknown': {
    severity: 'warning',
    'en-US': 'The service code "{found}" is not one of the published payment services.',
    'pt-BR': 'O tipo de serviço "{found}" não é um dos serviços de pagamento publicados.',
  },
  'form-unknown': {
    severity: 'warning',
    'en-US': 'The form of entry "{found}" is not one of the published forms.',
    'pt-BR': 'A forma de lançamento "{found}" não é uma das formas publicadas.',
  },
  'segments-mixed': {
    severity: 'warning',
    'en-US': 'Segment {found} shares a batch with segment {expected}; banks expect one kind of payment per batch.',
    'pt-BR': 'O segmento {found} divide o lote com o segmento {expected}; os bancos esperam um tipo por lote.',
  },
  'pix-mixed': {
    severity: 'bank-rule',
    'en-US': 'The file mixes Pix with other forms of entry; the bank expects Pix in a file of its own.',
    'pt-BR': 'O arquivo mistura Pix com outras formas de lançamento; o banco espera Pix em arquivo próprio.',
  },
  'barcode-check-digit': {
    severity: 'warning',
    'en-US': 'The barcode "{found}" does not carry the check digit its other digits call for.',
    'pt-BR': 'O código de barras "{found}" não tem o dígito verificador que os demais pedem.',
  },
  'payment-date-unreadable': {
    severity: 'warning',
    'en-US': 'The payment date must be ddmmyyyy; "{found}" is not a date, so the payment counts as undated.',
    'pt-BR': 'A data de pagamento deve ser ddmmaaaa; "{found}" não é uma data, e o pagamento conta como sem data.',
  },
  'payment-date-missing': {
    severity: 'warning',
    'en-US': 'The payment carries no date, so the payment-date check cannot see it.',
    'pt-BR': 'O pagamento não traz data, e a verificação de data não o alcança.',
  },
  'slip-parties-alone': {
    severity: 'warning',
    'en-US': 'The J-52 record must follow its segment J; this one follows something else and was ignored.',
    'pt-BR': 'O registro J-52 deve seguir o seu segmento J; este segue outra coisa e foi ignorado.',
  },
  'slip-parties-unreadable': {
    severity: 'warning',
    'en-US': 'The J-52 record has no valid CPF or CNPJ where its parties belong, so the slip’s payee is not shown.',
    'pt-BR': 'O registro J-52 não tem CPF ou CNPJ válido no lugar das partes, e o favorecido do boleto não é mostrado.',
  },
  'instruction-contradicts-movement': {
    severity: 'warning',
    'en-US': 'The movement type says inclusion, but the instruction is 99, exclusion; it was counted as a payment.',
    'pt-BR': 'O tipo de movimento diz inclusão, mas a instrução é 99, exclusão; foi contado como pagamento.',
  },
  'payments-unlisted': {
    severity: 'warning',
    'en-US':
      'The first {listed} payments are listed, with barcodes and identifiers checked; {unlisted} more are only counted and summed.',
    'pt-BR':
      'Os primeiros {listed} pagamentos são listados, com códigos de barras e inscrições verificados; outros {unlisted} são só contados e somados.',
  },
  'bank-chamber': {
    severity: 'bank-rule',
    'en-US': 'For the form of entry {form} the clearing chamber is {expected}; found "{found}" ({clause}).',
    'pt-BR': 'Para a forma de lançamento {form} a câmara é {expected}; encontrado "{found}" ({clause}).',
  },
  'bank-ted-within': {
    severity: 'bank-rule',
    'en-US': 'A TED cannot go to bank {bank} itself; such a payee gets a credit to account ({clause}).',
    'pt-BR': 'Uma TED não pode ir ao próprio banco {bank}; esse favorecido recebe crédito em conta ({clause}).',
  },
  'bank-form-of-service': {
    severity: 'bank-rule',
    'en-US': 'The form of entry {form} does not go with service {service} ({clause}).',
    'pt-BR': 'A forma de lançamento {form} não vale para o tipo de serviço {service} ({clause}).',
  },
  'bank-digit-not-blank': {
    severity: 'bank-rule',
    'en-US': 'The digit of branch and account (G012) must be blank; found "{found}" ({clause}).',
    'pt-BR': 'O dígito verificador da agência/conta (G012) deve ficar em branco; encontrado "{found}" ({clause}).',
  },
  'bank-payees-mixed': {
    severity: 'bank-rule',
    'en-US': 'Payees at the bank itself and at other banks must be in batches of their own ({clause}).',
    'pt-BR': 'Favorecidos do próprio banco e de outros bancos devem ficar em lotes separados ({clause}).',
  },
  'bank-slip-form': {
    severity: 'bank-rule',
    'en-US': 'The form of entry {form} does not go with a slip of bank {found} ({clause}).',
    'pt-BR': 'A forma de lançamento {form} não vale para um boleto do banco {found} ({clause}).',
  },
  'bank-line-ending': {
    severity: 'bank-rule',
    'en-US': 'Every record must end with CR LF ({clause}).',
    'pt-BR': 'Todo registro deve terminar com CR LF ({clause}).',
  },
  'no-payments': {
    severity: 'warning',
    'en-US': 'The file includes no payment.',
    'pt-BR': 'O arquivo não inclui nenhum pagamento.',
  },
} as const satisfies Record<string, FindingText>

/** The stable name of a finding. */
export type FindingCode = keyof typeof findingTexts
