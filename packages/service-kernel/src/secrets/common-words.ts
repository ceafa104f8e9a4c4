/** Words that the passwords people choose most are made of, in Portuguese and English; a number beside them changes nothing. */
const words = `
  senha senhas minhasenha suasenha novasenha senhanova senhaforte senhasegura senhadificil senhasecreta senhapadrao
  trocarsenha mudarsenha semsenha asenha password passwort passwd pass passcode passphrase mypassword newpassword
  secret secreto segredo segredos sigilo confidencial qwerty qwertyuiop qwe qweasd qweasdzxc qweqwe asd asdasd asdfgh
  asdfghjkl zxc zxcvbn zxcvbnm qazwsx qazwsxedc qaz abc abcd abcde abcdef abcabc aaa xyz
  admin admins administrador administradora administrator administracao root toor user usuario usuaria users guest
  convidado visitante test teste testes testando testing tester demo demonstracao exemplo example sample default padrao
  login logon entrar acesso access account conta contas cliente clientes client sistema sistemas system server servidor
  service servico suporte support help ajuda master mestre super superuser supervisor gerente gestor gestora diretor
  diretora chefe boss manager office escritorio empresa company companhia trabalho work working secretaria recepcao
  financeiro contabilidade juridico vendas comercial marketing rh ti
  assinatura assinador assinar documento documentos document documents contrato contratos certificado certificados
  digital cartorio hospital clinica medico medica doutor doutora
  brasil brazil brasileiro brasileira saopaulo riodejaneiro rio bahia salvador recife fortaleza curitiba portoalegre
  belohorizonte brasilia goiania manaus belem santos campinas minasgerais pernambuco ceara parana
  flamengo corinthians palmeiras saopaulofc santosfc vasco vascodagama botafogo fluminense gremio internacional cruzeiro
  atletico atleticomg galo timao mengao verdao tricolor bahiaec futebol football soccer campeao neymar pele ronaldo
  ronaldinho kaka messi
  amor amores amorzinho meuamor teamo amoreterno eteamo amovoce amo love loveyou iloveyou lovely lover paixao querida
  querido princesa princess principe prince anjo anjos angel angels bebe baby gatinha gatinho gata gato linda lindo
  bonita bonito docinho fofinha fofinho florzinha flor flores flower estrela estrelas star stars estrelinha sol lua luar
  sunshine vida minhavida vidaloka felicidade feliz happy sorriso smile alegria saudade saudades sucesso success vitoria
  vencedor winner liberdade freedom esperanca paz peace familia family minhafamilia mae mamae pai papai maepai filho
  filha filhos meusfilhos irmao irma avo vovo mother father brother sister friend friends amigo amiga amigos amizade
  deus jesus cristo jesuscristo deusefiel deusfiel jesusteama deusamor deusnocomando jesusmeama god godisgood christ
  senhor senhorjesus fe gratidao abencoado abencoada maria ave avemaria santamaria nossasenhora aparecida biblia igreja
  aleluia gloria bless blessed heaven
  ana joao jose carlos paulo pedro lucas mateus matheus marcos marco marcelo luiz luis fernando fernanda gabriel
  gabriela rafael rafaela daniel daniela felipe bruno bruna leonardo eduardo ricardo rodrigo gustavo guilherme thiago
  tiago vinicius vitor victor diego andre andreia antonio francisco sebastiao juliana julia camila amanda leticia
  larissa beatriz mariana isabela isabella sophia sofia laura alice helena manuela valentina luana carolina patricia
  renata sandra monica vanessa aline priscila tatiana simone cristina claudia adriana luciana michael michelle jordan
  jennifer jessica ashley nicole charlie thomas robert george hunter andrew joshua matthew anthony william
  silva santo souza sousa oliveira pereira ferreira alves lima gomes costa ribeiro martins carvalho rodrigues almeida
  dragon dragao monkey macaco shadow sombra tigre tiger leao lion aguia eagle lobo wolf cachorro dog doggy cat kitty
  pantera panther tubarao shark cavalo horse mustang falcon urso bear borboleta butterfly
  batman superman superhomem spiderman homemaranha ironman pokemon pikachu naruto goku starwars matrix minecraft roblox
  freefire playstation xbox nintendo mario sonic zelda game games gamer gaming jogador player futuro
  computer computador notebook internet google facebook instagram whatsapp twitter youtube hotmail gmail yahoo outlook
  windows linux ubuntu apple iphone android samsung nokia motorola microsoft oracle office365 cisco dell lenovo
  samba carnaval praia beach verao summer inverno winter primavera spring outono autumn natal christmas domingo segunda
  terca quarta quinta sexta sabado sunday monday tuesday wednesday thursday friday saturday janeiro fevereiro marco
  abril maio junho julho agosto setembro outubro novembro dezembro january february march april june july august
  september october november december
  chocolate morango banana laranja abacaxi melancia cereja cookie pizza cerveja cafe coffee pimenta pepper cheese
  vermelho amarelo verde azul preto branco roxo rosa laranjinha red blue green yellow black white purple orange silver
  gold golden ouro prata diamante diamond cristal crystal
  letmein deixaentrar abretesesamo opensesame welcome bemvindo bemvinda hello ola oi hey trustno access14 changeme
  mudar mudeme alterar trocar temporaria temporario temp temporary provisoria inicial primeira primeiro first
  qualquer whatever nothing nada naosei esqueci esquecisenha lembrar remember forgot ninguem nobody
  ninja samurai killer hacker pirata pirate guerreiro warrior cavaleiro knight ranger soldier soldado fire fogo ice
  agua water terra earth vento wind mar ocean rock rocknroll metal metallica musica music guitarra guitar piano
  money dinheiro rico rich milionario million banco bank cash loteria megasena
  porsche ferrari mercedes toyota honda chevrolet volkswagen fusca corolla harley yamaha suzuki
  computer123 access123 senha123mudar
`

export const COMMON_WORDS: ReadonlySet<string> = new Set(words.split(/\s+/).filter((word) => word.length >= 3))
