import type { ThreeLanguage } from '../shared/i18n/languages.ts'

/** The version of the consent below, sent with the agreement: another text is another version, in the contract too. */
export const CONSENT_SHOWN = '2026-11-17'

const english = {
  product: 'Face check',
  language: 'Language',
  loading: 'One moment…',
  asks: '{{application}} asks to check your face.',
  consent: {
    title: 'Before the camera is switched on',
    liveness: 'It is checked that a living person is before the camera. Your face is not stored.',
    enrollment:
      'It is checked that a living person is before the camera. Then a template of your face and one picture are stored, so that you can be recognized later.',
    matching:
      'It is checked that a living person is before the camera, and your face is compared with what was stored before.',
    kept: 'Pictures are sent to this service only. Those that are not stored are deleted when the check ends, or shortly after. You may ask whoever asks you here to delete what is stored.',
    how: 'You will be asked for a few movements of your head, one after another. It takes less than a minute.',
    agree: 'I agree, switch the camera on',
    refuse: 'I do not agree',
  },
  instructions: {
    LookStraight: 'Look straight into the camera',
    TurnLeft: 'Turn your head to your left',
    TurnRight: 'Turn your head to your right',
    LookUp: 'Look up',
    LookDown: 'Look down',
    OpenMouth: 'Open your mouth wide',
  },
  hints: {
    NoFace: 'No face is seen. Come before the camera.',
    SeveralFaces: 'There is more than one face. Only you may be in the picture.',
    TooDark: 'It is too dark. Turn on a light, or turn towards a window.',
    TooFar: 'Come closer.',
    TooClose: 'Go back a little.',
    OffCentre: 'Bring your face to the middle.',
    LookAtCamera: 'Face the camera.',
  },
  attemptFailures: {
    TookTooLong: 'That took too long. Here is another attempt.',
    OtherMovement: 'That was another movement than the one asked for. Here is another attempt.',
    FaceLost: 'Your face was out of the picture. Here is another attempt.',
    FaceChanged: 'The face was not the same all the time. Here is another attempt.',
  },
  preview: 'What the camera sees, as in a mirror',
  progress: 'Progress',
  attempt: 'Attempt {{attempt}} of {{attempts}}',
  starting: 'The camera is being switched on…',
  slow: 'The connection is slow. Please wait…',
  cancel: 'Cancel',
  camera: {
    refused: {
      title: 'The camera is not allowed',
      text: 'Allow this page to use the camera, in the bar of the browser or in its settings, and try again.',
    },
    absent: { title: 'No camera was found', text: 'Connect a camera, or open this page on a phone.' },
    busy: { title: 'The camera cannot be used', text: 'Another program may be using it. Close it, and try again.' },
    insecure: {
      title: 'This page cannot use the camera',
      text: 'Browsers allow the camera only at addresses that begin with https.',
    },
  },
  retry: 'Try again',
  succeeded: { title: 'Done', text: 'The check is complete.' },
  failed: { title: 'It did not work', text: 'The check could not be completed.' },
  aborted: { title: 'Cancelled', text: 'Nothing of you was stored.' },
  expired: { title: 'The time is over', text: 'Begin anew where you came from.' },
  gone: {
    title: 'This page is no longer good',
    text: 'Its address is not complete, or too old. Begin anew where you came from.',
  },
  unreachable: { title: 'The service cannot be reached', text: 'Check your connection. Nothing is lost.' },
  back: 'Continue',
} as const

type Translation<Texts> = { [Key in keyof Texts]: Texts[Key] extends string ? string : Translation<Texts[Key]> }

export type BioTexts = Translation<typeof english>

/** The texts of the page. */
export const bioTexts: Record<ThreeLanguage, BioTexts> = {
  'en-US': english,
  'pt-BR': {
    product: 'Verificação facial',
    language: 'Idioma',
    loading: 'Um momento…',
    asks: '{{application}} pede para verificar o seu rosto.',
    consent: {
      title: 'Antes de ligar a câmera',
      liveness: 'Verifica-se que há uma pessoa viva diante da câmera. O seu rosto não fica guardado.',
      enrollment:
        'Verifica-se que há uma pessoa viva diante da câmera. Depois ficam guardados um modelo do seu rosto e uma foto, para que você seja reconhecido mais tarde.',
      matching:
        'Verifica-se que há uma pessoa viva diante da câmera, e o seu rosto é comparado com o que foi guardado antes.',
      kept: 'As imagens são enviadas somente a este serviço. As que não ficam guardadas são apagadas quando a verificação termina, ou pouco depois. Você pode pedir a quem o trouxe aqui que apague o que ficou guardado.',
      how: 'Você fará alguns movimentos com a cabeça, um depois do outro. Leva menos de um minuto.',
      agree: 'Concordo, ligar a câmera',
      refuse: 'Não concordo',
    },
    instructions: {
      LookStraight: 'Olhe direto para a câmera',
      TurnLeft: 'Vire a cabeça para a sua esquerda',
      TurnRight: 'Vire a cabeça para a sua direita',
      LookUp: 'Olhe para cima',
      LookDown: 'Olhe para baixo',
      OpenMouth: 'Abra bem a boca',
    },
    hints: {
      NoFace: 'Nenhum rosto aparece. Fique diante da câmera.',
      SeveralFaces: 'Há mais de um rosto. Só você pode aparecer na imagem.',
      TooDark: 'Está escuro demais. Acenda uma luz ou vire-se para uma janela.',
      TooFar: 'Chegue mais perto.',
      TooClose: 'Afaste-se um pouco.',
      OffCentre: 'Traga o rosto para o meio.',
      LookAtCamera: 'Fique de frente para a câmera.',
    },
    attemptFailures: {
      TookTooLong: 'Demorou demais. Tente mais uma vez.',
      OtherMovement: 'Esse não foi o movimento pedido. Tente mais uma vez.',
      FaceLost: 'O seu rosto saiu da imagem. Tente mais uma vez.',
      FaceChanged: 'O rosto não foi o mesmo o tempo todo. Tente mais uma vez.',
    },
    preview: 'O que a câmera vê, como em um espelho',
    progress: 'Andamento',
    attempt: 'Tentativa {{attempt}} de {{attempts}}',
    starting: 'Ligando a câmera…',
    slow: 'A conexão está lenta. Aguarde…',
    cancel: 'Cancelar',
    camera: {
      refused: {
        title: 'A câmera não foi permitida',
        text: 'Permita que esta página use a câmera, na barra do navegador ou nas configurações dele, e tente de novo.',
      },
      absent: { title: 'Nenhuma câmera encontrada', text: 'Conecte uma câmera ou abra esta página em um celular.' },
      busy: {
        title: 'A câmera não pode ser usada',
        text: 'Outro programa talvez esteja usando a câmera. Feche-o e tente de novo.',
      },
      insecure: {
        title: 'Esta página não pode usar a câmera',
        text: 'Os navegadores só permitem a câmera em endereços que começam com https.',
      },
    },
    retry: 'Tentar de novo',
    succeeded: { title: 'Pronto', text: 'A verificação terminou.' },
    failed: { title: 'Não deu certo', text: 'A verificação não pôde ser concluída.' },
    aborted: { title: 'Cancelado', text: 'Nada seu ficou guardado.' },
    expired: { title: 'O tempo acabou', text: 'Comece de novo no lugar de onde você veio.' },
    gone: {
      title: 'Esta página não vale mais',
      text: 'O endereço está incompleto ou é antigo demais. Comece de novo no lugar de onde você veio.',
    },
    unreachable: { title: 'O serviço não responde', text: 'Verifique a sua conexão. Nada se perdeu.' },
    back: 'Continuar',
  },
  'es-ES': {
    product: 'Verificación facial',
    language: 'Idioma',
    loading: 'Un momento…',
    asks: '{{application}} pide verificar su rostro.',
    consent: {
      title: 'Antes de encender la cámara',
      liveness: 'Se comprueba que hay una persona viva ante la cámara. Su rostro no se guarda.',
      enrollment:
        'Se comprueba que hay una persona viva ante la cámara. Después se guardan un modelo de su rostro y una foto, para poder reconocerle más tarde.',
      matching:
        'Se comprueba que hay una persona viva ante la cámara, y su rostro se compara con lo que se guardó antes.',
      kept: 'Las imágenes se envían solo a este servicio. Las que no se guardan se borran cuando termina la verificación, o poco después. Puede pedir a quien le trajo aquí que borre lo guardado.',
      how: 'Hará algunos movimientos con la cabeza, uno tras otro. Dura menos de un minuto.',
      agree: 'Acepto, encender la cámara',
      refuse: 'No acepto',
    },
    instructions: {
      LookStraight: 'Mire de frente a la cámara',
      TurnLeft: 'Gire la cabeza a su izquierda',
      TurnRight: 'Gire la cabeza a su derecha',
      LookUp: 'Mire hacia arriba',
      LookDown: 'Mire hacia abajo',
      OpenMouth: 'Abra bien la boca',
    },
    hints: {
      NoFace: 'No se ve ningún rostro. Póngase ante la cámara.',
      SeveralFaces: 'Hay más de un rostro. Solo usted puede aparecer en la imagen.',
      TooDark: 'Está demasiado oscuro. Encienda una luz o gírese hacia una ventana.',
      TooFar: 'Acérquese.',
      TooClose: 'Aléjese un poco.',
      OffCentre: 'Lleve el rostro al centro.',
      LookAtCamera: 'Póngase de frente a la cámara.',
    },
    attemptFailures: {
      TookTooLong: 'Tardó demasiado. Inténtelo otra vez.',
      OtherMovement: 'Ese no era el movimiento pedido. Inténtelo otra vez.',
      FaceLost: 'Su rostro salió de la imagen. Inténtelo otra vez.',
      FaceChanged: 'El rostro no fue el mismo todo el tiempo. Inténtelo otra vez.',
    },
    preview: 'Lo que ve la cámara, como en un espejo',
    progress: 'Progreso',
    attempt: 'Intento {{attempt}} de {{attempts}}',
    starting: 'Encendiendo la cámara…',
    slow: 'La conexión va lenta. Espere…',
    cancel: 'Cancelar',
    camera: {
      refused: {
        title: 'La cámara no está permitida',
        text: 'Permita que esta página use la cámara, en la barra del navegador o en sus ajustes, e inténtelo de nuevo.',
      },
      absent: { title: 'No se encontró ninguna cámara', text: 'Conecte una cámara o abra esta página en un teléfono.' },
      busy: {
        title: 'No se puede usar la cámara',
        text: 'Quizá otro programa la esté usando. Ciérrelo e inténtelo de nuevo.',
      },
      insecure: {
        title: 'Esta página no puede usar la cámara',
        text: 'Los navegadores solo permiten la cámara en direcciones que empiezan por https.',
      },
    },
    retry: 'Intentar de nuevo',
    succeeded: { title: 'Listo', text: 'La verificación ha terminado.' },
    failed: { title: 'No ha funcionado', text: 'La verificación no se pudo completar.' },
    aborted: { title: 'Cancelado', text: 'No se guardó nada suyo.' },
    expired: { title: 'Se acabó el tiempo', text: 'Empiece de nuevo donde estaba.' },
    gone: {
      title: 'Esta página ya no sirve',
      text: 'La dirección está incompleta o es demasiado antigua. Empiece de nuevo donde estaba.',
    },
    unreachable: { title: 'El servicio no responde', text: 'Compruebe su conexión. No se ha perdido nada.' },
    back: 'Continuar',
  },
}
