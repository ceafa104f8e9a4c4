/** The administrator of the demo's consoles. */
export const administrator = {
  name: 'Helena Prado',
  email: 'helena@hospital.example',
  password: 'senha-da-helena',
} as const

/** What `data/demo.json` contains of a console. */
export const consoleAccess = { userEmail: administrator.email, userPassword: administrator.password }
