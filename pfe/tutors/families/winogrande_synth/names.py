"""First names of many cultures, one word each, and the pronouns that go with them.

Example: two of WOMEN, "Anjali" and "Freya", with PRONOUNS["she"]["his"] == "her".
"""

_WOMEN = """
Abigail Adaeze Agnieszka Aiko Aisha Alejandra Alma Amara Amina Anahit Anjali Anneli Asel Astrid Ayla Aylin Bahar
Beatriz Bronwen Camila Carmen Catarina Chiara Chinwe Dagmar Dalia Deepa Delphine Dilnoza Dolores Dorothea Edith
Efua Eleni Elif Esperanza Farah Fatima Fiona Freya Gabriela Galina Giulia Greta Gulnara Habiba Hadiza Halima
Hanako Haruka Helga Hina Hiroko Ifeoma Ilona Imani Inez Ingrid Irina Isabel Jacinta Jadwiga Jasmin Jelena
Josefina Kamala Katya Keiko Khadija Kirsten Lakshmi Lara Latifa Leilani Lena Leticia Linh Ludmila Lupita Magdalena
Mahnoor Malika Margarida Marta Mei Meera Milena Mina Mireille Miriam Nadia Naledi Naoko Nasrin Ngozi Nilufar
Noor Olena Olga Orla Paloma Parvin Petra Philippa Priya Quynh Rania Renata Rosa Roxana Ruta Sabine Sakura Salma
Saoirse Selam Shirin Signe Sigrid Simone Sofia Solveig Soraya Sunita Svetlana Tamar Tanvi Tereza Thandiwe Ulrike
Uma Valentina Vanja Vera Violeta Wanjiru Xiomara Yasmin Yetunde Yoko Yuki Zahra Zainab Zeynep Zofia Zuzana
"""
_MEN = """
Abdul Adebayo Ahmed Aidan Akira Alejandro Aleksander Alvaro Amir Anders Andrei Anton Arjun Armando Arturo Bahram
Baptiste Bartosz Bilal Bjorn Boris Bruno Carlos Cem Chidi Cormac Dae-jung Damir Dariusz Deepak Dieter Dimitri
Edgar Eduardo Emeka Emil Emre Enrique Esteban Fabio Farid Felipe Fergus Fernando Florian Francisco Georgi Gianni
Giorgos Gonzalo Gunnar Gustavo Hakan Hamza Hans Haruto Hassan Hector Henrik Hiroshi Hugo Ibrahim Idris Igor
Imran Isamu Ivan Jakub Jamal Javier Jens Joaquim Jorge Kamal Karim Kenji Khalid Kiran Klaus Kofi Kwame Lars
Leandro Leif Lorenzo Luca Luis Magnus Mahmoud Malik Marek Mateo Matthias Mehmet Mikhail Miguel Minh Musa Nabil
Naveen Nikolai Nils Obinna Olaf Omar Orhan Oscar Pablo Pavel Pedro Pierre Piotr Rafael Rahul Rajiv Ramon Rashid
Reza Roberto Rohan Ruben Sabir Salim Sanjay Santiago Sean Sekou Sergei Simon Stefan Sven Tadashi Tariq Tendai
Thabo Thiago Tomas Tuan Umar Uriel Vadim Victor Vikram Viktor Wei Wilhelm Yannick Yasser Youssef Yusuf Zoltan
"""
WOMEN = tuple(_WOMEN.split())
MEN = tuple(_MEN.split())
PRONOUNS = {
    "she": {"he": "she", "his": "her", "him": "her"},
    "he": {"he": "he", "his": "his", "him": "him"},
}
