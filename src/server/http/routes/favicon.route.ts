import type { Route } from '#doors/route';

/** /favicon.svg in 16 and 32 pixels: some readers of bookmarks and feeds take nothing but an ICO. */
const ICO = Buffer.from(
  'AAABAAIAEBAAAAEAIADcAQAAJgAAACAgAAABACAAcwMAAAICAACJUE5HDQoaCgAAAA1JSERSAAAAEAAAABAIBgAAAB/z/2EA' +
    'AAGRSURBVHicnJPLS0JBFMa/mTv2JMi8C6OXvZEkKCiNdNGDdv0DLVqGtWpjUCuFWgstWrVoEQRB1LI2ERJEEBQZghaUIQT2' +
    'AJW0TJ1GIU25mfjbzMw5M985cw6HASCaNvMCKKxi30tAVCgCB/8CJ3ec8803/6mTNOhGFymhTpQB56llJiJaUS6EWBkhRIcy' +
    'EcG1VKyVJd2mBOMOA2b2zKiqz5apkqFELDY9uiYakYgnQSWatZckMDCrg366SRSN49juRvT1M5fY74vNRg1aR+S8x51TWgzN' +
    'dWf25xu3eHA95/lzGRBgcrUfFdUMZ+teuHcf0TioxthKX8bt2Q/gesdfmBykGnWb/eeQ+EiixSSjxSiD1TCY5rvBqhjuXUGc' +
    'rN1AiTyBoCeMeEyIDGugNdRDqpCELYSjpSvwJFcUoIUGt0gz/YU0oUAUh7ZLJOMp/AWR2y2K0nJPHcJPMcQjCRSDiuHwKzle' +
    'fJF/H4u2einh2EL5HEi1qo4LrkpJ4qAWw9FAFOqSF1U0S4T2iTnYpu/M8Q0AAP//BAddXwAAAAZJREFUAwDYeXrSs6+LQwAA' +
    'AABJRU5ErkJggolQTkcNChoKAAAADUlIRFIAAAAgAAAAIAgGAAAAc3p69AAAAyhJREFUeJzEl0tIVFEYx//nzIyaoaMxKuXo' +
    'mGTiiBYuxHxhKYRB9NhEix5Em4hArZAKIijaZLlp0SLcua4oXwUhqGRGamBq+MBJHZ+NIzqOj5l7OmfIsYszOqPz+G3uPd/5' +
    'Lt//fuee79xPif+ISiqKUmKtnIHmEMKOAiQWPoFNM0a6CaR2G1TV5pFm8/oMWb+J1uWVUkJeE0IOwI8wxowSY9fnDG0NTgH7' +
    'kgpOUoJGBBC7JJ0SIog6MT9aRclPLmU/AojIxJrNnkEVlF0JdHCBWGqlkl5WUv7BIUiI2JQRFjQBIraSgOgQJERsJfwEDaHI' +
    'vZWK5BOxGP48jdbqfkBim/3gB0SYogd66M9pEaYOcVzTTse79PVLBnJupuBQsXxjWaaXXfr6PAP681ocuZgksxk7TTB8mXXp' +
    '79MMJBzTIK8sVWabMyyi6V73Rs33lwDN4QiUPM4EoRtJXTKtoK6sE2sWu9vnfCIgUrsHpS+yoApTOG2rVhvqyjuxNLOy5bNu' +
    'BSTydGbfSBFFG121Ixj6OOnSL0ytQmlVFvZEhThtTJLw6f4PzA0tYjtcCiAKgsJKPcI1oY5x8cMMqEIp+t8bZX4KvtfFm6u1' +
    '4TJ789NejH8zwRPcZoCfVrJxYWW64+oUwb+qkieZiEmNlPl9rxnCQOMEPMXlNmR2hvaXA5vsQkTaGa3jPr8iDbrcGNn8r3oj' +
    'FzAMbyCagwXM3WTa2XgU3NFvso92zCIhWyO3fZ1Fw91ul+V2KxTh0bpH7iZn+xdgmVmGLl/+a6iOl6/5n8EF1Fd0QVqT4C3b' +
    'VkKx5i1VvW7nFyatPHgnbMt27ASPSnHf23G0POvbZF+12NBwuwtW0yp2isdnQd+7MbQ83xAh9npTZRfMBgt2g1eVsO/NGBaM' +
    'VsSlqzHVM4+JbjN2C98F+bzEkTgEBTZFRceCICFi82+ABU2AiE3tsL3iVXf3i+ltaB5TxKbmkfYRPrqGwHNVxHYc4Nb53/2h' +
    '6oQOfr4c5x1LBPzIv+b0gsnQ+kGMnX8Qy/Ojg6FRyTUU9lUGssLbcy6E7IVPcLTnbbw9r7VDdclsaOlZn/kLAAD//0Ho0rIA' +
    'AAAGSURBVAMADuMnC7AOGUkAAAAASUVORK5CYII=',
  'base64',
);

/** GET /favicon.ico. */
export const faviconRoute: Route = {
  path: '/favicon.ico',
  methods: {
    GET: () => ({ status: 200, body: ICO, contentType: 'image/x-icon', cacheControl: 'public, max-age=86400' }),
  },
};
