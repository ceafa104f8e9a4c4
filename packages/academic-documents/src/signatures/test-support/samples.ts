// Unsigned documents of every kind, with the content a real one has. They follow the official layout 1.05, which
// `prove-published.test.ts` checks after signing; every person and institution is fictitious.

const NAMESPACE = 'http://portal.mec.gov.br/diplomadigital/arquivos-em-xsd'
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'

export interface SampleTerms {
  /** CNPJs. */
  readonly issuer: string
  readonly registrar: string
  /** CPFs listed as signatories of the degree data, and of the registration data; default nobody is listed. */
  readonly issuerSignatories?: readonly string[]
  readonly registrarSignatories?: readonly string[]
  /** Default `http://…`. */
  readonly namespace?: string
  /** Default 2026-02-20. */
  readonly expedition?: string
  /** Disciplines of the transcript; default 3. */
  readonly disciplines?: number
  /** Further namespaces on the root element. */
  readonly declarations?: string
}

export const NONCE = '00112233445566778899001122334455667788990011'

const root = (name: string, content: string, { namespace = NAMESPACE, declarations = '' }: SampleTerms): Buffer =>
  Buffer.from(`${DECLARATION}<${name} xmlns="${namespace}"${declarations}>${content}</${name}>`)

const address =
  '<Endereco><Logradouro>Avenida das Acácias</Logradouro><Numero>1200</Numero><Bairro>Centro</Bairro>' +
  '<CodigoMunicipio>3550308</CodigoMunicipio><NomeMunicipio>São Paulo</NomeMunicipio><UF>SP</UF><CEP>01310000</CEP></Endereco>'

const act = (name: string, number = '2160'): string =>
  `<${name}><Tipo>Portaria</Tipo><Numero>${number}</Numero><Data>2012-05-07</Data>` +
  `<VeiculoPublicacao>Diário Oficial da União</VeiculoPublicacao><DataPublicacao>2012-05-08</DataPublicacao></${name}>`

const maintainer = (cnpj: string): string =>
  `<Mantenedora><RazaoSocial>Fundação Mantenedora do Exemplo</RazaoSocial><CNPJ>${cnpj}</CNPJ>${address}</Mantenedora>`

const issuer = ({ issuer: cnpj }: SampleTerms, name = 'IesEmissora'): string =>
  `<${name}><Nome>Faculdade Exemplar de São Paulo</Nome><CodigoMEC>1234</CodigoMEC><CNPJ>${cnpj}</CNPJ>${address}` +
  `${act('Credenciamento')}</${name}>`

const registrar = ({ registrar: cnpj }: SampleTerms, name = 'IesRegistradora'): string =>
  `<${name}><Nome>Universidade Registradora de Minas &amp; Gerais</Nome><CodigoMEC>5678</CodigoMEC><CNPJ>${cnpj}</CNPJ>` +
  `${address}${act('Credenciamento', '77')}${maintainer(cnpj)}</${name}>`

const student = (name: string): string =>
  `<${name}><ID>2019001234</ID><Nome>Maria Conceição d'Ávila</Nome><Sexo>F</Sexo><Nacionalidade>Brasileira</Nacionalidade>` +
  '<Naturalidade><CodigoMunicipio>3106200</CodigoMunicipio><NomeMunicipio>Belo Horizonte</NomeMunicipio><UF>MG</UF></Naturalidade>' +
  '<CPF>52998224725</CPF><RG><Numero>MG1234567</Numero><OrgaoExpedidor>SSP</OrgaoExpedidor><UF>MG</UF></RG>' +
  `<DataNascimento>1998-07-21</DataNascimento></${name}>`

const course =
  '<DadosCurso><NomeCurso>Pedagogia</NomeCurso><CodigoCursoEMEC>98765</CodigoCursoEMEC><Modalidade>Presencial</Modalidade>' +
  '<TituloConferido><Titulo>Licenciado</Titulo></TituloConferido><GrauConferido>Licenciatura</GrauConferido>' +
  `${address.replaceAll('Endereco>', 'EnderecoCurso>')}${act('Autorizacao', '10')}${act('Reconhecimento', '11')}</DadosCurso>`

const smallCourse = `<DadosCurso><NomeCurso>Pedagogia</NomeCurso><CodigoCursoEMEC>98765</CodigoCursoEMEC>${act('Autorizacao', '10')}${act('Reconhecimento', '11')}</DadosCurso>`

const signatories = (cpfs: readonly string[] | undefined, office: string): string =>
  cpfs === undefined
    ? ''
    : `<Assinantes>${cpfs.map((cpf) => `<Assinante><CPF>${cpf}</CPF><Cargo>${office}</Cargo></Assinante>`).join('')}</Assinantes>`

const teacher = '<Docentes><Docente><Nome>João Álvares</Nome><Titulacao>Doutorado</Titulacao></Docente></Docentes>'

const discipline = (_: unknown, at: number): string =>
  `<Disciplina><CodigoDisciplina>PED${String(at + 1).padStart(3, '0')}</CodigoDisciplina>` +
  `<NomeDisciplina>História da Educação ${at + 1}</NomeDisciplina><PeriodoLetivo>2019/1</PeriodoLetivo>` +
  '<CargaHoraria><HoraRelogio>60.00</HoraRelogio></CargaHoraria><Nota>9.50</Nota>' +
  `<Aprovado><FormaIntegralizacao>Cursado</FormaIntegralizacao></Aprovado>${teacher}</Disciplina>`

const history = ({ disciplines = 3, expedition = '2026-02-20' }: SampleTerms): string =>
  '<HistoricoEscolar><CodigoCurriculo>PED-2019</CodigoCurriculo>' +
  `<ElementosHistorico>${Array.from({ length: disciplines }, discipline).join('')}</ElementosHistorico>` +
  `<DataEmissaoHistorico>${expedition}</DataEmissaoHistorico><HoraEmissaoHistorico>10:30:00</HoraEmissaoHistorico>` +
  '<SituacaoAtualDiscente><Formado><DataConclusaoCurso>2025-12-10</DataConclusaoCurso><DataColacaoGrau>2026-01-15</DataColacaoGrau>' +
  `<DataExpedicaoDiploma>${expedition}</DataExpedicaoDiploma></Formado></SituacaoAtualDiscente>` +
  '<ENADE><Habilitado><Condicao>Concluinte</Condicao><Edicao>2025</Edicao></Habilitado></ENADE>' +
  '<CargaHorariaCursoIntegralizada><HoraRelogio>3200.00</HoraRelogio></CargaHorariaCursoIntegralizada>' +
  '<CargaHorariaCurso><HoraRelogio>3200.00</HoraRelogio></CargaHorariaCurso>' +
  '<IngressoCurso><Data>2019-02-01</Data><FormaAcesso>Vestibular</FormaAcesso></IngressoCurso></HistoricoEscolar>'

const degreeData = (terms: SampleTerms): string =>
  `<DadosDiploma id="Dip${NONCE}">${student('Diplomado')}<DataConclusao>2025-12-10</DataConclusao>${course}${issuer(terms)}` +
  `${signatories(terms.issuerSignatories, 'Reitor')}</DadosDiploma>`

const PDF = Buffer.from('%PDF-1.7 documento comprobatório de exemplo').toString('base64')

export const academicDocumentation = (terms: SampleTerms): Buffer =>
  root(
    'DocumentacaoAcademicaRegistro',
    `<RegistroReq versao="1.05" id="ReqDip${NONCE}" ambiente="Homologação">${degreeData(terms)}` +
      '<DadosPrivadosDiplomado><Filiacao><Genitor><Nome>Ana d’Ávila</Nome><Sexo>F</Sexo></Genitor></Filiacao>' +
      `${history(terms)}</DadosPrivadosDiplomado>` +
      `<DocumentacaoComprobatoria><Documento tipo="ProvaColacao">${PDF}</Documento></DocumentacaoComprobatoria></RegistroReq>`,
    terms,
  )

export const registrationData = (terms: SampleTerms, nonce = NONCE): Buffer =>
  Buffer.from(
    `<DadosRegistro id="RDip${nonce}">${registrar(terms)}` +
      '<LivroRegistro><LivroRegistro>PED-12</LivroRegistro><NumeroFolhaDoDiploma>45</NumeroFolhaDoDiploma>' +
      '<NumeroSequenciaDoDiploma>981</NumeroSequenciaDoDiploma><DataColacaoGrau>2026-01-15</DataColacaoGrau>' +
      `<DataExpedicaoDiploma>${terms.expedition ?? '2026-02-20'}</DataExpedicaoDiploma><DataRegistroDiploma>2026-03-01</DataRegistroDiploma>` +
      '<ResponsavelRegistro><Nome>Paulo Sérgio Couto</Nome><CPF>11144477735</CPF></ResponsavelRegistro></LivroRegistro>' +
      `<IdDocumentacaoAcademica>ReqDip${nonce}</IdDocumentacaoAcademica>` +
      '<Seguranca><CodigoValidacao>1234.5678.0a1b2c3d4e5f</CodigoValidacao></Seguranca>' +
      `${signatories(terms.registrarSignatories, 'Responsável pelo registro')}</DadosRegistro>`,
  )

export const academicTranscript = (terms: SampleTerms): Buffer =>
  root(
    'DocumentoHistoricoEscolarFinal',
    `<infHistoricoEscolar versao="1.05">${student('Aluno')}${smallCourse}${issuer(terms)}${history(terms)}` +
      '<SegurancaHistorico><CodigoValidacao>1234.0a1b2c3d4e5f</CodigoValidacao></SegurancaHistorico></infHistoricoEscolar>',
    terms,
  )

export const curriculum = (terms: SampleTerms): Buffer =>
  root(
    'CurriculoEscolar',
    '<infCurriculoEscolar versao="1.05"><CodigoCurriculo>PED-2019</CodigoCurriculo><DataCurriculo>2025-11-05</DataCurriculo>' +
      `<MinutosRelogioDaHoraAula>50</MinutosRelogioDaHoraAula>${smallCourse}${issuer(terms)}` +
      '<infEtiquetas><Etiqueta><Codigo>OBR</Codigo><Nome>Obrigatória</Nome></Etiqueta></infEtiquetas><infAreas></infAreas>' +
      '<infEstruturaCurricular><UnidadeCurricular><Tipo>Disciplina</Tipo><Codigo>PED001</Codigo><Nome>História da Educação</Nome>' +
      '<CargaHorariaEmHoraRelogio>60.00</CargaHorariaEmHoraRelogio></UnidadeCurricular></infEstruturaCurricular>' +
      '<infCriteriosIntegralizacao><CriterioIntegralizacaoRotulos><Codigo>C1</Codigo><Etiqueta>OBR</Etiqueta><CargasHorariasCriterio>' +
      '<CargaHorariaMinima>60.00</CargaHorariaMinima><CargaHorariaMaxima>60.00</CargaHorariaMaxima></CargasHorariasCriterio>' +
      '</CriterioIntegralizacaoRotulos></infCriteriosIntegralizacao>' +
      '<SegurancaCurriculo><CodigoValidacao>1234.00aa11bb22cc</CodigoValidacao></SegurancaCurriculo></infCurriculoEscolar>',
    terms,
  )

export const cancellationList = (terms: SampleTerms): Buffer =>
  root(
    'ListaDiplomasAnulados',
    `<infListaDiplomasAnulados versao="1.05"><NumeroDeSequencia>7</NumeroDeSequencia>${registrar(terms, 'IESRegistradora')}` +
      '<DiplomasAnulados><DiplomaAnulado><CodigoDiplomaAnulado>1234.5678.ffee00112233</CodigoDiplomaAnulado>' +
      '<DataAnulacao>2026-01-10</DataAnulacao><MotivoAnulacao>Erro de Fato</MotivoAnulacao></DiplomaAnulado></DiplomasAnulados>' +
      '<DataMaximaProximaAtualizacao>2026-04-01</DataMaximaProximaAtualizacao></infListaDiplomasAnulados>',
    terms,
  )

const inspectionFile = (terms: SampleTerms): Buffer =>
  root(
    'ArquivoFiscalizacao',
    '<infArquivoFiscalizacaoEmissora versao="1.05"><DataInicioFiscalizacao>2026-01-01</DataInicioFiscalizacao>' +
      `${issuer(terms, 'IESEmissora')}<DiplomasFiscalizados><DiplomaFiscalizado><CodigoDiploma>1234.5678.0a1b2c3d4e5f</CodigoDiploma>` +
      '<CPFDetentor>52998224725</CPFDetentor><DataEmissao>2026-02-20</DataEmissao><DataRegistro>2026-03-01</DataRegistro>' +
      '<URLXMLdoDiplomado>https://diplomas.example/1234.xml</URLXMLdoDiplomado><URLRVDD>https://diplomas.example/1234.pdf</URLRVDD>' +
      '</DiplomaFiscalizado></DiplomasFiscalizados><DataFimFiscalizacao>2026-03-01</DataFimFiscalizacao></infArquivoFiscalizacaoEmissora>',
    terms,
  )

/** By kind; a degree is assembled. */
export const unsignedDocuments = {
  academicDocumentation,
  academicTranscript,
  curriculum,
  cancellationList,
  inspectionFile,
}
