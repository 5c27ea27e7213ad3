// Keeps the reviewer's name and goes on.
const form = document.getElementById("reviewer");
const said = document.getElementById("said");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const response = await fetch("/reviewer", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ name: form.elements.name.value }),
    });
    const reply = await response.json();
    if (response.ok) location.assign(form.dataset.address);
    else said.textContent = reply.message;
  } catch {
    said.textContent = "The server does not answer. Start it again, and open its new link.";
  }
});
