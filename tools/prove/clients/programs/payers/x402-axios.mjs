import axios from 'axios';
import { createSigner, withPaymentInterceptor } from 'x402-axios';
import { byAxios } from './answers.mjs';

export async function open({ privateKey }) {
  return byAxios(withPaymentInterceptor(axios.create(), await createSigner('base', privateKey)));
}
