// Documents of layout 1.02, which nobody writes any more: as text.
import type { DocumentKind } from '../kinds.ts'
import { sampleNonce, samplePdf } from '../samples/index.ts'
import { richSignature } from './rich-signature.ts'

export interface OldSample {
  readonly name: string
  readonly kind: DocumentKind
  readonly bytes: Buffer
}

const NAMESPACE = 'http://portal.mec.gov.br/diplomadigital/arquivos-em-xsd'
const city = '<CodigoMunicipio>4205407</CodigoMunicipio><NomeMunicipio>Florianópolis</NomeMunicipio><UF>SC</UF>'
const address = `<Logradouro>Rua Delfino Conti</Logradouro><Numero>S/N</Numero><Bairro>Trindade</Bairro>${city}<CEP>88040900</CEP>`
const act = '<Tipo>Portaria</Tipo><Numero>2160/2019</Numero><Data>2019-12-05</Data>'
const process =
  '<NumeroProcesso>2019</NumeroProcesso><TipoProcesso>Reconhecimento</TipoProcesso><DataCadastro>2019-01-02</DataCadastro><DataProtocolo>2019-01-03</DataProtocolo>'
const longAct = `${act}<VeiculoPublicacao>DOU</VeiculoPublicacao><DataPublicacao>2019-12-06</DataPublicacao><SecaoPublicacao>1</SecaoPublicacao><PaginaPublicacao>7</PaginaPublicacao><NumeroDOU>236</NumeroDOU><InformacoesTramitacaoEMEC>${process}</InformacoesTramitacaoEMEC>`
const maintainer = `<Mantenedora><RazaoSocial>Fundação</RazaoSocial><CNPJ>83899526000182</CNPJ><Endereco>${address}</Endereco></Mantenedora>`
const institution = `<Nome>Universidade do Sul</Nome><CodigoMEC>585</CodigoMEC><CNPJ>83899526000182</CNPJ><Endereco>${address}</Endereco><Credenciamento>${act}</Credenciamento><Recredenciamento>${longAct}</Recredenciamento>${maintainer}`
const student = `<Diplomado><ID>17100001</ID><Nome>Ana Böing</Nome><NomeSocial>Ana</NomeSocial><Sexo>F</Sexo><Nacionalidade>Brasileira</Nacionalidade><Naturalidade>${city}</Naturalidade><CPF>52998224725</CPF><RG><Numero>4567890</Numero><OrgaoExpedidor>SSP</OrgaoExpedidor><UF>SC</UF></RG><DataNascimento>1998-03-04</DataNascimento></Diplomado>`
const course = (code: string, acts: string) =>
  `<DadosCurso><NomeCurso>Sistemas de Informação</NomeCurso>${code}<NomeHabilitacao>Bacharelado</NomeHabilitacao><Modalidade>Presencial</Modalidade><TituloConferido><Titulo>Bacharel</Titulo></TituloConferido><GrauConferido>Bacharelado</GrauConferido><EnderecoCurso>${address}</EnderecoCurso><Polo><Nome>Polo</Nome><Endereco>${address}</Endereco><CodigoEMEC>9</CodigoEMEC></Polo>${acts}</DadosCurso>`

const data = (suffix: string, about: string) =>
  `<DadosDiploma${suffix} id="Dip${sampleNonce}">${student}<DataConclusao>2020-12-01</DataConclusao>${about}<IesEmissora>${institution}</IesEmissora>${richSignature('1')}</DadosDiploma${suffix}>`
const regular = data(
  '',
  course(
    '<CodigoCursoEMEC>14236</CodigoCursoEMEC>',
    `<Autorizacao>${act}</Autorizacao><Reconhecimento>${longAct}</Reconhecimento>`,
  ),
)
const outside = data('NSF', course(`<SemCodigoCursoEMEC>${process}</SemCodigoCursoEMEC>`, ''))

const book = (number: string) =>
  `<LivroRegistro><LivroRegistro>1</LivroRegistro>${number}<ProcessoDoDiploma>7</ProcessoDoDiploma><DataColacaoGrau>2020-12-10</DataColacaoGrau><DataExpedicaoDiploma>2021-01-10</DataExpedicaoDiploma><DataRegistroDiploma>2021-01-20</DataRegistroDiploma><ResponsavelRegistro><Nome>João</Nome><CPF>52998224725</CPF><IDouNumeroMatricula>9</IDouNumeroMatricula></ResponsavelRegistro></LivroRegistro>`
const registration = (suffix: string, number: string) =>
  `<DadosRegistro${suffix} id="RDip${sampleNonce}"><IesRegistradora>${institution}</IesRegistradora>${book(number)}<IdDocumentacaoAcademica>ReqDip${sampleNonce}</IdDocumentacaoAcademica><Seguranca><CodigoValidacao>585.585.0a1b2c3d4e5f</CodigoValidacao></Seguranca>${richSignature('2')}</DadosRegistro${suffix}>`
const sheet = '<NumeroFolhaDoDiploma>3</NumeroFolhaDoDiploma><NumeroSequenciaDoDiploma>4</NumeroSequenciaDoDiploma>'

const teachers =
  '<Docentes><Docente><Nome>Eva</Nome><Titulacao>Doutorado</Titulacao><Lattes>http://lattes.cnpq.br/123</Lattes><CPF>52998224725</CPF></Docente></Docentes>'
const unit = (result: string) =>
  `<DisciplinaCursada><Disciplina>Cálculo</Disciplina><Periodo>2017/1</Periodo><CargaHoraria>72</CargaHoraria>${result}${teachers}</DisciplinaCursada>`
const transcript = `<HistoricoEscolar><MatrizCurricular>${unit('<Nota>8.50</Nota>')}${unit('<NotaAteCem>85</NotaAteCem>')}${unit('<Conceito>A</Conceito>')}${unit('<Aprovado/>')}</MatrizCurricular><DataEmissaoHistorico>2021-01-02</DataEmissaoHistorico><SituacaoAluno>Aprovado</SituacaoAluno><ENADE><Situacao>Dispensado pelo MEC</Situacao></ENADE><DataProvaEnade>2019-11-24</DataProvaEnade><CargaHorariaCursoIntegralizada>3000</CargaHorariaCursoIntegralizada></HistoricoEscolar>`
const admission =
  '<CargaHorariaCurso>3000</CargaHorariaCurso><IngressoCurso><Data>2017-03-01</Data><FormaAcesso>Sisu</FormaAcesso><DataConclusao>2020-12-01</DataConclusao></IngressoCurso>'
const parents = '<Filiacao><Genitor><Nome>Rosa</Nome><Sexo>F</Sexo></Genitor></Filiacao>'
const declaration = `<TermoResponsabilidade><Nome>Rui</Nome><CPF>52998224725</CPF><Cargo>Diretor</Cargo><AtoDesignacao>${samplePdf}</AtoDesignacao></TermoResponsabilidade>`
const evidence = `<DocumentacaoComprobatoria><Documento tipo="HistoricoEscolar" observacoes="cópia">${samplePdf}</Documento></DocumentacaoComprobatoria>`

const documentOf = (root: string, content: string): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><${root} xmlns="${NAMESPACE}">${content}${richSignature('9')}</${root}>`,
  )
const degree = (content: string) =>
  documentOf('Diploma', `<infDiploma versao="1.02" id="VDip${sampleNonce}">${content}</infDiploma>`)
const request = (name: string, content: string) =>
  documentOf('DocumentacaoAcademicaRegistro', `<${name} versao="1.02" id="ReqDip${sampleNonce}">${content}</${name}>`)

export const oldSamples: readonly OldSample[] = [
  { name: 'degree', kind: 'degree', bytes: degree(regular + registration('', sheet)) },
  {
    name: 'degree outside the federal system',
    kind: 'degree',
    bytes: degree(outside + registration('NSF', `${sheet}<NumeroRegistro>5</NumeroRegistro>`)),
  },
  {
    name: 'academic documentation',
    kind: 'academicDocumentation',
    bytes: request(
      'RegistroReq',
      `${regular}<DadosPrivadosDiplomado>${parents}${transcript}${admission}</DadosPrivadosDiplomado>${declaration}`,
    ),
  },
  {
    name: 'academic documentation of a second copy',
    kind: 'academicDocumentation',
    bytes: request(
      'RegistroSegundaViaReq',
      `${outside}<DadosPrivadosDiplomado>${parents}${admission}</DadosPrivadosDiplomado>${evidence}`,
    ),
  },
]
