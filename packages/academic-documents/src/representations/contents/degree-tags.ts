import type { Course, DegreeData, Institution, Person, RegistryBook } from './shapes.ts'
import { type TagTable, tagOf } from './tags.ts'
import {
  actOf,
  addressOf,
  documentOf,
  formattedCnpj,
  formattedCpf,
  gendered,
  listed,
  longDate,
  maskedCpf,
  placeOf,
  processOf,
  shortDate,
} from './words.ts'

/** Someone who signs, as the page names them. The XML holds their number and office; names come from the platform. */
export interface Signatory {
  readonly name: string
  readonly role: string
}

/** What every kind of representation is given besides the data of the XML. */
export interface Publication {
  /** Validation code. */
  readonly code: string
  /** The public page of this document. */
  readonly url: string
}

export type Published<Data> = Data & { readonly publication: Publication }

const long = (value: string | undefined): string | undefined => value && longDate(value)
const short = (value: string | undefined): string | undefined => value && shortDate(value)

type Read<Data, Part> = (data: Data) => Part

export const publicationTags = <Data>(): TagTable<Published<Data>> => ({
  codigo: tagOf('Código de validação', ({ publication }) => publication.code),
  url: tagOf('Endereço público do documento', ({ publication }) => publication.url),
})

export const personTags = <Data>(prefix: string, person: Read<Data, Person>): TagTable<Data> => ({
  [`${prefix}.nome`]: tagOf('Nome a exibir: o social, quando houver', (d) => person(d).nomeSocial ?? person(d).nome),
  [`${prefix}.nomeCivil`]: tagOf('Nome de registro civil', (d) => person(d).nome),
  [`${prefix}.nomeSocial`]: tagOf('Nome social', (d) => person(d).nomeSocial),
  [`${prefix}.matricula`]: tagOf('Matrícula', (d) => person(d).id),
  [`${prefix}.nacionalidade`]: tagOf('Nacionalidade', (d) => person(d).nacionalidade),
  [`${prefix}.naturalidade`]: tagOf('Município e UF de nascimento', (d) => placeOf(person(d).naturalidade)),
  [`${prefix}.nascimento`]: tagOf('Data de nascimento por extenso', (d) => long(person(d).dataNascimento)),
  [`${prefix}.nascimentoCurto`]: tagOf('Data de nascimento dd/mm/aaaa', (d) => short(person(d).dataNascimento)),
  [`${prefix}.nascido`]: tagOf('“nascido” ou “nascida”', (d) => (person(d).sexo === 'F' ? 'nascida' : 'nascido')),
  [`${prefix}.portador`]: tagOf('“portador” ou “portadora”', (d) =>
    person(d).sexo === 'F' ? 'portadora' : 'portador',
  ),
  [`${prefix}.cpf`]: tagOf('CPF completo', (d) => person(d).cpf && formattedCpf(person(d).cpf!)),
  [`${prefix}.cpfMascarado`]: tagOf(
    'CPF só com os seis dígitos centrais',
    (d) => person(d).cpf && maskedCpf(person(d).cpf!),
  ),
  [`${prefix}.documento`]: tagOf('Documento de identidade', (d) => documentOf(person(d))),
})

export const institutionTags = <Data>(prefix: string, ies: Read<Data, Institution>): TagTable<Data> => ({
  [`${prefix}.nome`]: tagOf('Nome da instituição', (d) => ies(d).nome),
  [`${prefix}.codigoMec`]: tagOf('Código e-MEC da instituição', (d) => ies(d).codigoMEC),
  [`${prefix}.cnpj`]: tagOf('CNPJ', (d) => ies(d).cnpj && formattedCnpj(ies(d).cnpj!)),
  [`${prefix}.municipio`]: tagOf('Município e UF da sede', (d) => placeOf(ies(d).endereco)),
  [`${prefix}.endereco`]: tagOf('Endereço completo', (d) => addressOf(ies(d).endereco)),
  [`${prefix}.credenciamento`]: tagOf('Ato de credenciamento', (d) => actOf(ies(d).credenciamento)),
  [`${prefix}.recredenciamento`]: tagOf('Ato de recredenciamento mais recente', (d) =>
    actOf(ies(d).renovacaoDeRecredenciamento ?? ies(d).recredenciamento),
  ),
  [`${prefix}.autorizacaoRegistro`]: tagOf('Ato que autoriza o registro', (d) =>
    actOf(ies(d).atoRegulatorioAutorizacaoRegistro),
  ),
  [`${prefix}.mantenedora`]: tagOf('Razão social da mantenedora', (d) => ies(d).mantenedora?.razaoSocial),
})

export const courseTags = <Data>(course: Read<Data, Course>, sex: Read<Data, string | undefined>): TagTable<Data> => ({
  'curso.nome': tagOf('Nome do curso', (d) => course(d).nomeCurso),
  'curso.codigoEmec': tagOf('Código e-MEC do curso', (d) => course(d).codigoCursoEMEC),
  'curso.processoEmec': tagOf(
    'Processo e-MEC de curso sem código',
    (d) => course(d).semCodigoCursoEMEC && processOf(course(d).semCodigoCursoEMEC!),
  ),
  'curso.modalidade': tagOf('Modalidade', (d) => course(d).modalidade),
  'curso.titulo': tagOf('Título conferido, no gênero da pessoa', (d) => {
    const { titulo, outroTitulo } = course(d).tituloConferido ?? {}
    return outroTitulo ?? (titulo && gendered(titulo, sex(d)))
  }),
  'curso.tituloConferido': tagOf('Título conferido como está no XML', (d) => {
    const { titulo, outroTitulo } = course(d).tituloConferido ?? {}
    return outroTitulo ?? titulo
  }),
  'curso.grau': tagOf('Grau conferido', (d) => course(d).grauConferido),
  'curso.habilitacoes': tagOf('Habilitações', (d) =>
    listed((course(d).habilitacao ?? []).map((h) => h.nomeHabilitacao)),
  ),
  'curso.enfases': tagOf('Ênfases', (d) => listed(course(d).enfase ?? [])),
  'curso.municipio': tagOf('Município e UF do curso', (d) => placeOf(course(d).enderecoCurso)),
  'curso.polo': tagOf('Polo', (d) => course(d).polo?.nome),
  'curso.autorizacao': tagOf('Ato de autorização', (d) => actOf(course(d).autorizacao)),
  'curso.reconhecimento': tagOf('Ato de reconhecimento', (d) => actOf(course(d).reconhecimento)),
  'curso.renovacao': tagOf('Renovação de reconhecimento', (d) => actOf(course(d).renovacaoReconhecimento)),
})

const book = ({ dadosRegistro }: DegreeData): RegistryBook => dadosRegistro.livroRegistro
const trial = ({ dadosRegistro }: DegreeData) => dadosRegistro.informacoesProcessoJudicial

/** Everything a template of a degree can show. */
export const degreeTags: TagTable<Published<DegreeData>> = {
  ...publicationTags<DegreeData>(),
  ...personTags('diplomado', ({ dadosDiploma }: DegreeData) => dadosDiploma.diplomado),
  ...courseTags(
    ({ dadosDiploma }: DegreeData) => dadosDiploma.dadosCurso,
    ({ dadosDiploma }) => dadosDiploma.diplomado.sexo,
  ),
  ...institutionTags('ies', ({ dadosDiploma }: DegreeData) => dadosDiploma.iesEmissora),
  ...institutionTags('registradora', ({ dadosRegistro }: DegreeData) => dadosRegistro.iesRegistradora),
  'iesOriginal.nome': tagOf(
    'Instituição original de curso em transferência assistida',
    ({ dadosDiploma }) => dadosDiploma.dadosIesOriginalCursoPTA?.nome,
  ),
  'datas.conclusao': tagOf('Data de conclusão por extenso', ({ dadosDiploma }) => long(dadosDiploma.dataConclusao)),
  'datas.conclusaoCurta': tagOf('Data de conclusão dd/mm/aaaa', ({ dadosDiploma }) =>
    short(dadosDiploma.dataConclusao),
  ),
  'datas.colacao': tagOf('Data da colação de grau por extenso', (d) => long(book(d).dataColacaoGrau)),
  'datas.colacaoCurta': tagOf('Data da colação de grau dd/mm/aaaa', (d) => short(book(d).dataColacaoGrau)),
  'datas.expedicao': tagOf('Data de expedição por extenso', (d) => long(book(d).dataExpedicaoDiploma)),
  'datas.expedicaoCurta': tagOf('Data de expedição dd/mm/aaaa', (d) => short(book(d).dataExpedicaoDiploma)),
  'datas.registro': tagOf('Data de registro por extenso', (d) => long(book(d).dataRegistroDiploma)),
  'datas.registroCurta': tagOf('Data de registro dd/mm/aaaa', (d) => short(book(d).dataRegistroDiploma)),
  'registro.livro': tagOf('Livro de registro', (d) => book(d).livroRegistro),
  'registro.numero': tagOf('Número de registro', (d) => book(d).numeroRegistro),
  'registro.folha': tagOf('Folha', (d) => book(d).numeroFolhaDoDiploma),
  'registro.sequencia': tagOf('Sequência', (d) => book(d).numeroSequenciaDoDiploma),
  'registro.processo': tagOf('Processo do diploma', (d) => book(d).processoDoDiploma),
  'registro.responsavel': tagOf('Responsável pelo registro', (d) => book(d).responsavelRegistro?.nome),
  'judicial.processo': tagOf('Número do processo judicial', (d) => trial(d)?.numeroProcessoJudicial),
  'judicial.juiz': tagOf('Nome do juiz', (d) => trial(d)?.nomeJuiz),
  'judicial.decisao': tagOf('Decisão judicial', (d) => trial(d)?.decisao),
  informacoesAdicionais: tagOf('Informações adicionais', ({ dadosRegistro }) => dadosRegistro.informacoesAdicionais),
}
