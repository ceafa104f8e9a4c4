// The values of layout 1.05: one type for each thing that is written, with what users are told about it.
import { base64, date, decimal, id, narrowed, oneOf, text, unsignedInt, uri } from '../../language/simple.ts'
import { latinLine, wordCharacter } from '../character-sets.ts'

/** One line of text, without blanks at its ends. */
export const linha = text('texto em caracteres latinos, sem espaços no início nem no fim', { patterns: [latinLine] })

/** A name: of a person, an institution, a municipality. */
export const nome = narrowed(linha, 'texto de 1 a 255 caracteres latinos, sem espaços no início nem no fim', {
  minLength: 1,
  maxLength: 255,
})

/** What an institution uses to tell its things apart: anything but nothing. */
export const identificador = text('ao menos um caractere', { minLength: 1 })
export const textoLivre = text('qualquer texto')

export const data = date('data no formato AAAA-MM-DD')
export const hora = text('hora no formato HH:MM:SS', { patterns: [/^(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$/u] })
export const ano = text('ano com 4 algarismos', { patterns: [/^[0-9]{4}$/u] })
export const anoMes = text('ano e mês no formato AAAA-MM', { patterns: [/^[0-9]{4}-[0-9]{2}$/u] })

export const numeroPositivo = unsignedInt('número inteiro a partir de 1, sem zeros à esquerda', /^[1-9][0-9]*$/u)
export const codigoEMec = unsignedInt('código do e-MEC, só algarismos', /^[0-9]+$/u)
export const horaRelogio = decimal('número a partir de 0, com ponto e até 2 casas decimais', {
  minimum: 0,
  fractionDigits: 2,
})
export const nota = narrowed(horaRelogio, 'nota de 0 a 10, com ponto e até 2 casas decimais', { maximum: 10 })
export const notaAteCem = narrowed(horaRelogio, 'nota de 0 a 100, com ponto e até 2 casas decimais', { maximum: 100 })
export const simOuNao = oneOf('Sim', 'Não')

export const cpf = text('CPF: 11 algarismos, sem pontos nem traço', {
  blanks: 'collapse',
  maxLength: 11,
  patterns: [/^[0-9]{11}$/u],
})
export const cnpj = text('CNPJ: 14 algarismos, sem pontos, barra nem traço', {
  maxLength: 14,
  patterns: [/^[0-9]{14}$/u],
})
export const numeroRg = text('número do RG: de 4 a 15 letras ou algarismos, sem pontuação', {
  blanks: 'collapse',
  maxLength: 15,
  patterns: [/^[a-zA-Z0-9]{4,15}$/u],
})
export const sexo = oneOf('F', 'M')
export const cep = text('CEP: 8 algarismos, sem traço', { patterns: [/^[0-9]{8}$/u] })
export const codigoMunicipio = text('código do município no IBGE: 7 algarismos', { patterns: [/^[0-9]{7}$/u] })
export const uf = oneOf(
  ...(['AC', 'AL', 'AM', 'AP', 'BA', 'CE', 'DF', 'ES', 'GO', 'MA', 'MG', 'MS', 'MT', 'PA'] as const),
  ...(['PB', 'PE', 'PI', 'PR', 'RJ', 'RN', 'RO', 'RR', 'RS', 'SC', 'SE', 'SP', 'TO'] as const),
)

export const titulacao = oneOf('Tecnólogo', 'Graduação', 'Especialização', 'Mestrado', 'Doutorado')
/** The published files of the `https` namespace had every `http://` replaced, this one too. */
export const lattes = narrowed(linha, 'endereço do currículo Lattes: http://lattes.cnpq.br/ seguido de algarismos', {
  blanks: 'collapse',
  minLength: 1,
  maxLength: 255,
  patterns: [/^http:\/\/lattes\.cnpq\.br\/[0-9]+$/u],
  patternsUnderHttps: [/^https?:\/\/lattes\.cnpq\.br\/[0-9]+$/u],
})

export const endereco255 = uri('endereço que começa com https://, com até 255 caracteres', {
  maxLength: 255,
  patterns: [/^https:\/\/[^\n\r]*$/u],
})
export const pdfA = base64('documento PDF/A codificado em Base64')

export const numeroDoAto = narrowed(linha, '"S/N", ou um algarismo seguido de letras, algarismos, "-", "_" ou "/"', {
  patterns: [new RegExp(`^(?:S/N|[0-9](?:${wordCharacter}|[-_/])*)$`, 'u')],
})
export const numeroDoProcessoJudicial = narrowed(linha, 'número único do processo: NNNNNNN-DD.AAAA.J.TR.OOOO', {
  blanks: 'collapse',
  patterns: [/^[0-9]{7}-[0-9]{2}\.[0-9]{4}\.[0-9]\.[0-9]{2}\.[0-9]{4}$/u],
})

export const codigoDoDiploma = narrowed(
  linha,
  'código e-MEC da emissora, ponto, código e-MEC da registradora, ponto e ao menos 12 dígitos hexadecimais minúsculos',
  { blanks: 'collapse', patterns: [/^[0-9]+\.[0-9]+\.[a-f0-9]{12,}$/u] },
)
export const codigoComEmissora = narrowed(
  linha,
  'código e-MEC da instituição, ponto e ao menos 12 dígitos hexadecimais minúsculos',
  { blanks: 'collapse', patterns: [/^[0-9]+\.[a-f0-9]{12,}$/u] },
)
export const codigoDoCurriculo = narrowed(linha, linha.expects, { minLength: 1 })

export const idDoDiplomaPublico = id('VDip seguido de 44 algarismos', /^VDip[0-9]{44}$/u)
export const idDosDadosDoDiploma = id('Dip seguido de 44 algarismos', /^Dip[0-9]{44}$/u)
export const idDosDadosDoRegistro = id('RDip seguido de 44 algarismos', /^RDip[0-9]{44}$/u)
export const idDaDocumentacao = id('ReqDip seguido de 44 algarismos', /^ReqDip[0-9]{44}$/u)

export const ambiente = oneOf('Produção', 'Homologação')
