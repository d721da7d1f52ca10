/**
 * Script of the card form. It listens to `check`, `confirm` and `theme` messages of the page around it, and sends
 * `ready`, `resize`, `submit` and `result` to that page's origin only.
 */
export const CARD_FORM_SCRIPT = `
const form = document.getElementById('card')
const error = document.getElementById('error')
const bank = document.getElementById('bank')
const field = (name) => document.getElementById(name)
const send = (type, more) => {
  if (settings.parentOrigin) parent.postMessage({ type: 'serai-sandbox:' + type, ...more }, settings.parentOrigin)
}
const resize = () => send('resize', { height: document.documentElement.offsetHeight })
const finish = (result) => {
  busy = false
  send('result', { result })
  resize()
}
let busy = false

function setTheme(theme) {
  document.documentElement.style.colorScheme = theme
}
if (settings.theme) setTheme(settings.theme)

const FIELD_OF = { incorrect_number: 'number', invalid_expiry_month: 'expiry', invalid_expiry_year: 'expiry', expired_card: 'expiry', invalid_cvc: 'cvc', incorrect_cvc: 'cvc' }

function show(message, name) {
  for (const each of ['number', 'expiry', 'cvc']) {
    const isWrong = each === name
    field(each).toggleAttribute('aria-invalid', isWrong)
    if (isWrong) field(each).setAttribute('aria-invalid', 'true')
    if (isWrong) field(each).setAttribute('aria-describedby', 'error')
    else field(each).removeAttribute('aria-describedby')
  }
  error.textContent = message
  if (name) field(name).focus()
  resize()
}

function findMistake() {
  if (!/^[\\d ]{13,23}$/.test(field('number').value.trim())) return ['Enter the card number.', 'number']
  if (!/^\\d{1,2} ?\\/ ?\\d{2,4}$/.test(field('expiry').value.trim())) return ['Enter the expiry date as MM / YY.', 'expiry']
  if (!/^\\d{3,4}$/.test(field('cvc').value.trim())) return ['Enter the three or four digits of the security code.', 'cvc']
}

function checkCard() {
  const mistake = findMistake()
  show(...(mistake || ['']))
  send('result', { result: mistake ? { status: 'invalid', message: mistake[0] } : { status: 'valid' } })
}

async function confirmCard(secret) {
  if (busy) return
  const mistake = findMistake()
  if (mistake) {
    show(...mistake)
    return finish({ status: 'invalid', message: mistake[0] })
  }
  show('')
  busy = true
  if (secret) Object.assign(settings, { secret, intent: secret.split('_secret_')[0] })
  const [month, year] = field('expiry').value.split('/').map((text) => text.trim())
  const body = new URLSearchParams({
    key: settings.key,
    client_secret: settings.secret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': field('number').value,
    'payment_method_data[card][exp_month]': month,
    'payment_method_data[card][exp_year]': year,
    'payment_method_data[card][cvc]': field('cvc').value.trim(),
    ...(settings.returnUrl && { return_url: settings.returnUrl }),
  })
  let answer
  try {
    const response = await fetch('/v1/payment_intents/' + settings.intent + '/confirm', { method: 'POST', body })
    answer = await response.json()
  } catch {
    return finish({ status: 'unknown' })
  }
  report(answer)
}

function report(answer) {
  if (answer.error) {
    const { code, decline_code, message } = answer.error
    // An error of the server is not a refusal of the card.
    if (answer.error.type === 'api_error') return finish({ status: 'unknown' })
    show(message, FIELD_OF[code])
    return finish({ status: 'declined', code: decline_code || code, message })
  }
  if (answer.status === 'requires_capture' || answer.status === 'succeeded') return finish({ status: 'authorised' })
  if (answer.status !== 'requires_action') return finish({ status: 'unknown' })
  const { url } = answer.next_action.redirect_to_url
  if (settings.returnUrl) return finish({ status: 'redirect', url })
  form.hidden = true
  bank.hidden = false
  bank.src = url
  bank.focus()
  resize()
  send('authenticating')
}

addEventListener('message', (event) => {
  const type = event.data && event.data.type
  if (event.source === parent && event.origin === settings.parentOrigin) {
    if (type === 'serai-sandbox:confirm') confirmCard(event.data.client_secret)
    if (type === 'serai-sandbox:check') checkCard()
    if (type === 'serai-sandbox:theme') setTheme(event.data.theme)
  }
  if (type === 'serai-sandbox:authenticated' && event.source === bank.contentWindow && event.origin === location.origin) {
    form.hidden = false
    bank.hidden = true
    bank.removeAttribute('src')
    if (event.data.status === 'requires_capture') return finish({ status: 'authorised' })
    const message = 'The bank did not confirm the payment. Try again or use another card.'
    show(message, 'number')
    finish({ status: 'declined', code: 'authentication_failed', message })
  }
})
form.addEventListener('submit', (event) => {
  event.preventDefault()
  send('submit')
})
field('number').addEventListener('input', () => {
  const digits = field('number').value.replace(/\\D/g, '').slice(0, 19)
  field('number').value = digits.replace(/(.{4})(?=.)/g, '$1 ')
})
field('expiry').addEventListener('input', (event) => {
  const digits = field('expiry').value.replace(/\\D/g, '').slice(0, 4)
  field('expiry').value = digits.length > 2 ? digits.slice(0, 2) + ' / ' + digits.slice(2) : digits
})
new ResizeObserver(resize).observe(document.body)
send('ready')
resize()
`
